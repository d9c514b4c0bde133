import { Show } from 'solid-js';
import { words } from '../../words.ts';

const longest = 20_000;

/** A text of any length and origin as it was written, in a frame that scrolls; beyond a bound, how much is left. */
export function LongText(props: { readonly text: string; readonly failed?: boolean }) {
  return (
    <pre
      tabindex="0"
      dir="auto"
      class={`max-h-72 overflow-auto rounded-md p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere ${props.failed ? 'bg-failure-soft text-failure' : 'bg-sunken'}`}
    >
      {props.text.slice(0, longest)}
      <Show when={props.text.length > longest}>{`\n${words.tools.cut(props.text.length - longest)}`}</Show>
    </pre>
  );
}
