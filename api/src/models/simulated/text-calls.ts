import type { Json } from '../../agent/json.ts';
import { firstPath } from '../found-notes.ts';
import type { Scene } from '../scene.ts';
import { simulation, wrapUp } from './simulation.ts';

/** Each turn writes its call another way. */
const forms: readonly ((name: string, input: Readonly<Record<string, Json>>) => string)[] = [
  (name, input) => `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`,
  (name, input) => `<function_calls>\n${invoke(name, input, '')}\n</function_calls>`,
  (name, input) => `<｜DSML｜function_calls>\n${invoke(name, input, '｜DSML｜')}\n</｜DSML｜function_calls>`,
  (name, input) => `${name}${JSON.stringify(input)}`,
];

/** As models do that have no calls of their own: in the answer, and once while thinking. */
export const textCalls = simulation(
  'simulated/text-calls',
  {
    title: 'Tool calls written as text',
    shows: 'Calls in four kinds of markup, one of them within the reasoning: they are made, and none of it is shown.',
    thinks: true,
  },
  (scene) => {
    if (!scene.toolsOffered) return wrapUp(scene);
    const path = firstPath(scene.calls());
    switch (scene.turn) {
      case 1:
        return { text: `I will search first. ${written(scene, 'vault_search', { query: topic(scene), limit: 3 })}` };
      case 2:
        return { reasoning: `What else is there? ${written(scene, 'vault_list', { folder: '' })} That will tell. ` };
      case 3:
        return path === undefined
          ? { text: conclusion(scene) }
          : { text: `One of them looks promising. ${written(scene, 'vault_read', { path })}` };
      case 4:
        return { text: `One more search. ${written(scene, 'vault_search', { query: 'welcome', limit: 1 })}` };
      default:
        return { text: conclusion(scene) };
    }
  },
);

function written({ turn }: Scene, name: string, input: Readonly<Record<string, Json>>): string {
  return forms[(turn - 1) % forms.length]?.(name, input) ?? '';
}

function invoke(name: string, input: Readonly<Record<string, Json>>, mark: string): string {
  const parameters = Object.entries(input).map(([key, value]) => {
    const plain = typeof value === 'string';
    const kind = mark === '' ? '' : ` string="${plain}"`;
    return `<${mark}parameter name="${key}"${kind}>${plain ? value : JSON.stringify(value)}</${mark}parameter>`;
  });
  return `<${mark}invoke name="${name}">\n${parameters.join('\n')}\n</${mark}invoke>`;
}

function topic({ question }: Scene): string {
  return question.replace(/[<>"]/g, ' ').trim().slice(0, 200) || 'welcome';
}

function conclusion(scene: Scene): string {
  const made = scene.calls().filter(({ ok }) => ok).length;
  return `${made === 1 ? 'One call that was' : `${made} calls that were`} written as text came back with a result. This is a simulated answer.`;
}
