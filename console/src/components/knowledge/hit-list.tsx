import { For, type JSX, Show } from 'solid-js';
import type { createLoad } from '../../state/load.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';

interface HitListProps<Data, Hit> {
  readonly query: string;
  readonly load: Pick<ReturnType<typeof createLoad<Data, never>>, 'state' | 'reload'>;
  readonly hits: (data: Data) => readonly Hit[];
  readonly href: (hit: Hit) => string;
  readonly onClear: () => void;
  readonly children: (hit: Hit) => JSX.Element;
}

/** What a search found, each leading to its place; or that it found nothing, and the way back. */
export function HitList<Data, Hit>(props: HitListProps<Data, Hit>) {
  return (
    <LoadView state={props.load.state()} onRetry={() => void props.load.reload()} loading={<SkeletonRows />}>
      {(loaded) => (
        <Show
          when={props.hits(loaded()).length > 0}
          fallback={
            <EmptyNotice
              title={words.knowledge.noneFound}
              text={words.knowledge.noneFoundText(props.query)}
              action={<Button onClick={() => props.onClear()}>{words.knowledge.clearSearch}</Button>}
            />
          }
        >
          <ul class="p-2">
            <For each={props.hits(loaded())}>
              {(hit) => (
                <li>
                  <a href={props.href(hit)} class="flex flex-col rounded-md px-2 py-1.5 hover:bg-sunken">
                    {props.children(hit)}
                  </a>
                </li>
              )}
            </For>
          </ul>
        </Show>
      )}
    </LoadView>
  );
}
