import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type Act, type ActingOptions, actingModel } from '../acting-model.ts';
import type { Scene } from '../scene.ts';

/** A scenario that anybody can watch without a key. */
export interface Simulation {
  readonly name: string;
  readonly title: string;
  create(options: ActingOptions): LanguageModelV4;
}

export function simulation(
  name: `simulated/${string}`,
  title: string,
  act: (scene: Scene) => Act,
  manner: Parameters<typeof actingModel>[3] = {},
): Simulation {
  return { name, title, create: (options) => actingModel(name, act, options, manner) };
}

/** What most of them say when tools are withheld. */
export function wrapUp({ turn }: Scene): Act {
  const after =
    turn === 1 ? '' : turn === 2 ? ' after one round of tool calls' : ` after ${turn - 1} rounds of tool calls`;
  return { text: `No tools are left to me, so this is my answer${after}: the simulation has shown what it should.` };
}
