import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type Act, type ActingOptions, actingModel } from '../acting-model.ts';
import type { Scene } from '../scene.ts';

/** A scenario that anybody can watch without a key. */
export interface Simulation {
  readonly name: string;
  readonly title: string;
  /** What there is to see, in a sentence. */
  readonly shows: string;
  /** Whether reasoning is part of it. */
  readonly thinks: boolean;
  create(options: ActingOptions): LanguageModelV4;
}

interface Programme extends NonNullable<Parameters<typeof actingModel>[3]> {
  readonly title: string;
  readonly shows: string;
  readonly thinks?: boolean;
}

export function simulation(
  name: `simulated/${string}`,
  { title, shows, thinks = false, ...manner }: Programme,
  act: (scene: Scene) => Act,
): Simulation {
  return { name, title, shows, thinks, create: (options) => actingModel(name, act, options, manner) };
}

/** What most of them say when tools are withheld. */
export function wrapUp({ turn }: Scene): Act {
  const after =
    turn === 1 ? '' : turn === 2 ? ' after one round of tool calls' : ` after ${turn - 1} rounds of tool calls`;
  return { text: `No tools are left to me, so this is my answer${after}: the simulation has shown what it should.` };
}
