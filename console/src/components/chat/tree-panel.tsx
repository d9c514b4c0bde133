import Flag from 'lucide-solid/icons/flag';
import GitBranch from 'lucide-solid/icons/git-branch';
import MapPin from 'lucide-solid/icons/map-pin';
import Scissors from 'lucide-solid/icons/scissors';
import Tag from 'lucide-solid/icons/tag';
import X from 'lucide-solid/icons/x';
import { createMemo, createSignal, For, Show } from 'solid-js';
import { useChat } from '../../state/chat/chat.ts';
import type { Exchange } from '../../state/chat/conversation.ts';
import { countBranches, moveIn, rowsOf, type TreeRow } from '../../state/chat/tree.ts';
import { words } from '../../words.ts';
import { Button, IconButton } from '../basics/button.tsx';
import { NameDialog } from './name-dialog.tsx';
import { PruneDialog } from './prune-dialog.tsx';

interface TreePanelProps {
  readonly onClose: () => void;
  readonly onBranch: (nodeId: string) => void;
}

/** More rows than this are shown a window at a time, around the one that is looked at. */
const windowSize = 400;

/** All branches of the open conversation. */
export function TreePanel(props: TreePanelProps) {
  const chat = useChat();
  const { conversation } = chat;
  const rows = createMemo(() => rowsOf(conversation.nodes(), conversation.headId()));
  const shownIndex = () => rows().findIndex(({ node }) => node.id === conversation.shownId());
  const [focused, setFocused] = createSignal<string>();
  const [labelling, setLabelling] = createSignal(false);
  const [pruning, setPruning] = createSignal(false);
  const activeIndex = () => {
    const index = rows().findIndex(({ node }) => node.id === focused());
    return index === -1 ? Math.max(0, shownIndex()) : index;
  };
  const start = () => Math.max(0, Math.min(activeIndex() - windowSize / 2, rows().length - windowSize));
  const visible = createMemo(() => rows().slice(start(), start() + windowSize));
  const isRunning = (node: Exchange) => node.runId === chat.runningId();
  const selected = () => rows()[shownIndex()]?.node;
  let tree: HTMLDivElement | undefined;

  function look(node: Exchange) {
    setFocused(node.id);
    chat.place.go(conversation.id(), node.id === conversation.newestId() ? undefined : node.id);
  }

  function keydown(event: KeyboardEvent) {
    if (event.key === 'Enter' || event.key === ' ') {
      const node = rows()[activeIndex()]?.node;
      if (node) look(node);
      return event.preventDefault();
    }
    const next = moveIn(rows(), activeIndex(), event.key);
    const node = next === undefined ? undefined : rows()[next]?.node;
    if (!node) return;
    event.preventDefault();
    setFocused(node.id);
    queueMicrotask(() => tree?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  }

  async function report(doing: Promise<string | undefined>) {
    const problem = await doing;
    if (problem !== undefined) chat.fail(`${words.failed} ${problem}`);
  }

  return (
    <div class="flex h-full flex-col">
      <div class="flex h-11 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
        <h2 class="grow font-semibold">{words.conversation.tree}</h2>
        <Button size="small" variant="ghost" disabled={rows().length < 2} onClick={() => setPruning(true)}>
          <Scissors class="size-3.5" aria-hidden="true" /> {words.tree.prune}
        </Button>
        <IconButton label={words.conversation.hideTree} onClick={() => props.onClose()}>
          <X class="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      <Show when={rows().length > 0} fallback={<p class="p-4 text-sm text-muted">{words.tree.empty}</p>}>
        <p class="px-4 pt-2 text-xs text-muted">
          {words.tree.summary(conversation.nodes().length, countBranches(conversation.nodes()))}
        </p>
        <div
          ref={tree}
          role="tree"
          aria-label={words.tree.label}
          tabindex="-1"
          class="min-h-0 grow overflow-y-auto p-2"
          onKeyDown={keydown}
        >
          <For each={visible()}>
            {(row) => (
              <Row
                row={row}
                selected={row.node.id === conversation.shownId()}
                head={row.node.id === conversation.headId()}
                reachable={row.node.id === rows()[activeIndex()]?.node.id}
                running={isRunning(row.node)}
                onLook={() => look(row.node)}
              />
            )}
          </For>
        </div>
        <Show when={selected()}>
          {(node) => (
            <fieldset aria-label={words.tree.actions} class="flex shrink-0 flex-wrap gap-1.5 border-t border-line p-3">
              <Button size="small" disabled={isRunning(node())} onClick={() => props.onBranch(node().id)}>
                <GitBranch class="size-3.5" aria-hidden="true" /> {words.tree.branch}
              </Button>
              <Button
                size="small"
                disabled={node().id === conversation.headId() || isRunning(node())}
                onClick={() => void report(chat.actions.checkout(conversation.id() ?? '', node().id))}
              >
                <MapPin class="size-3.5" aria-hidden="true" /> {words.tree.checkout}
              </Button>
              <Button size="small" onClick={() => setLabelling(true)}>
                <Tag class="size-3.5" aria-hidden="true" /> {words.tree.setLabel}
              </Button>
              <Button
                size="small"
                aria-pressed={node().checkpoint}
                onClick={() =>
                  void report(chat.actions.checkpoint(conversation.id() ?? '', node().id, !node().checkpoint))
                }
              >
                <Flag class="size-3.5" aria-hidden="true" />{' '}
                {node().checkpoint ? words.tree.clearCheckpoint : words.tree.setCheckpoint}
              </Button>
            </fieldset>
          )}
        </Show>
      </Show>
      <NameDialog
        open={labelling()}
        title={words.tree.setLabel.replace('…', '')}
        field={words.tree.labelField}
        action={words.tree.save}
        value={selected()?.label ?? ''}
        onClose={() => setLabelling(false)}
        onSave={(label) => chat.actions.label(conversation.id() ?? '', selected()?.id ?? '', label)}
      />
      <PruneDialog open={pruning()} onClose={() => setPruning(false)} />
    </div>
  );
}

interface RowProps {
  readonly row: TreeRow<Exchange>;
  readonly selected: boolean;
  readonly head: boolean;
  readonly running: boolean;
  readonly reachable: boolean;
  readonly onLook: () => void;
}

const deepestIndent = 6;

function Row(props: RowProps) {
  const node = () => props.row.node;
  const title = () => (node().kind === 'ASK' ? node().question : words.kinds[node().kind]);
  return (
    // The keys are handled by the tree, and one of its rows can always be reached.
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      role="treeitem"
      aria-level={props.row.depth + 1}
      aria-setsize={props.row.siblings}
      aria-posinset={props.row.position}
      aria-selected={props.selected}
      tabindex={props.reachable ? 0 : -1}
      data-node={node().id}
      class="group/row flex cursor-pointer items-stretch gap-2 rounded-md pr-2 text-sm hover:bg-sunken aria-selected:bg-accent-soft"
      style={{ 'padding-left': `${8 + Math.min(props.row.depth, deepestIndent) * 16}px` }}
      title={title()}
      onClick={() => props.onLook()}
    >
      <span class="relative w-3 shrink-0" aria-hidden="true">
        <span
          class="absolute inset-y-0 left-1/2 w-px -translate-x-1/2"
          classList={{ 'bg-accent-text': props.row.onHeadPath, 'bg-track': !props.row.onHeadPath }}
        />
        <span
          class="absolute top-3 left-1/2 -translate-x-1/2 border-2"
          classList={{
            'size-3 rotate-45 rounded-[2px]': node().checkpoint,
            'size-3 rounded-full': !node().checkpoint,
            'border-accent-text': props.row.onHeadPath,
            'border-control': !props.row.onHeadPath,
            'bg-accent-text': props.head,
            'bg-canvas': !props.head,
          }}
        />
      </span>
      <span class="min-w-0 grow py-1.5">
        <span class="block truncate" dir="auto">
          {title()}
        </span>
        <span class="flex flex-wrap gap-x-2 text-xs text-muted empty:hidden">
          <Show when={props.head}>
            <span class="font-semibold text-accent-text" title={words.tree.headHelp}>
              {words.tree.head}
            </span>
          </Show>
          <Show when={node().label}>{(label) => <span class="max-w-full truncate font-medium">{label()}</span>}</Show>
          <Show when={node().checkpoint}>
            <span class="inline-flex items-center gap-1">
              <Flag class="size-3" aria-hidden="true" />
              {words.tree.checkpoint}
            </span>
          </Show>
          <Show when={props.running}>
            <span class="text-accent-text">{words.tree.running}</span>
          </Show>
          <Show when={node().partial && !props.running}>
            <span>{words.tree.partial}</span>
          </Show>
        </span>
      </span>
    </div>
  );
}
