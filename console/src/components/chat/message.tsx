import CircleUser from 'lucide-solid/icons/circle-user';
import { type JSX, Show } from 'solid-js';
import { words } from '../../words.ts';
import { Logo } from '../frame/logo.tsx';

interface MessageProps {
  readonly who: 'you' | 'oracle';
  readonly children: JSX.Element;
}

/** Who speaks, in a column of its own where there is room for one. */
export function Message(props: MessageProps) {
  return (
    <div class="flex flex-col gap-1 @2xl:flex-row @2xl:gap-4" data-participant={props.who}>
      <p class="flex h-6 shrink-0 items-center gap-2 text-sm font-medium text-muted @2xl:w-20">
        <Show when={props.who === 'oracle'} fallback={<CircleUser class="size-4.5" aria-hidden="true" />}>
          <Logo class="size-4.5 shrink-0" />
        </Show>
        {words.participant[props.who]}
      </p>
      <div class="min-w-0 grow @2xl:basis-0 @2xl:pt-0.5">{props.children}</div>
    </div>
  );
}

/** Work that a sub-agent does for the oracle stands a step further in, under its name. */
export function ByAgent(props: { readonly agent: string | null; readonly children: JSX.Element }) {
  return (
    <Show when={props.agent} fallback={props.children}>
      {(agent) => (
        <div class="border-l-2 border-accent-soft pl-3">
          <p class="text-xs font-medium text-accent-text">{words.participant.agent(agent())}</p>
          {props.children}
        </div>
      )}
    </Show>
  );
}
