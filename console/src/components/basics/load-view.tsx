import { type JSX, Match, Switch } from 'solid-js';
import type { LoadState } from '../../state/load.ts';
import { ForbiddenNotice } from './forbidden-notice.tsx';
import { FailedNotice } from './notice.tsx';
import { SkeletonCards } from './skeleton.tsx';

interface LoadViewProps<Data> {
  readonly state: LoadState<Data>;
  readonly onRetry: () => void;
  readonly loading?: JSX.Element;
  readonly children: (data: () => Data) => JSX.Element;
}

/** Loading, failed or there: every page that waits for the server looks the same while it does. */
export function LoadView<Data>(props: LoadViewProps<Data>) {
  const failed = () => (props.state.type === 'failed' ? props.state : undefined);
  const ready = () => (props.state.type === 'ready' ? { data: props.state.data } : undefined);
  return (
    <Switch fallback={props.loading ?? <SkeletonCards count={3} />}>
      <Match when={failed()}>
        {(problem) =>
          problem().forbidden ? (
            <ForbiddenNotice />
          ) : (
            <FailedNotice message={problem().message} onRetry={() => props.onRetry()} />
          )
        }
      </Match>
      <Match when={ready()}>{(loaded) => props.children(() => loaded().data)}</Match>
    </Switch>
  );
}
