import RotateCcw from 'lucide-solid/icons/rotate-ccw';
import { createUniqueId, type JSX, Match, Show, Switch } from 'solid-js';
import { type LayerBadge, layerBadge, type Owner } from '../../state/layer-badge.ts';
import { limitsLine, showEntry, showOwn } from '../../state/setting-words.ts';
import type { SettingsSet } from '../../state/settings-set.ts';
import { words } from '../../words.ts';
import { IconButton } from '../basics/button.tsx';
import { ConflictChoice } from './conflict-choice.tsx';
import { FieldProblem, FieldStatus } from './field-status.tsx';
import { LayerBadgeView } from './layer-badge-view.tsx';
import { NumberControl } from './number-control.tsx';
import { SwitchControl } from './switch-control.tsx';
import { TextControl } from './text-control.tsx';

interface SettingRowProps {
  readonly set: SettingsSet;
  readonly fieldKey: string;
  readonly owner: Owner;
  /** For a field that is shown in two aspects below one title: the aspect, and a badge of its own. */
  readonly aspect?: string;
  readonly badge?: LayerBadge;
}

/** One setting: what it is, where its value comes from, the controls, and how the last change fares. */
export function SettingRow(props: SettingRowProps) {
  const problemId = createUniqueId();
  const field = () => props.set.field(props.fieldKey);
  const standing = () => props.set.standing(props.fieldKey);
  const state = () => props.set.state(props.fieldKey);
  /** The whole name, for messages and for people who do not see what stands above. */
  const title = () => (props.aspect ? words.settings.aspectOf(field().title, props.aspect) : field().title);
  const conflict = () => {
    const now = state();
    return now.type === 'conflict' ? { theirs: now.theirs } : undefined;
  };

  return (
    <fieldset
      aria-label={title()}
      data-field={props.fieldKey}
      class={`min-w-0 px-4 sm:px-5 ${props.aspect ? 'py-1.5' : 'py-3.5'}`}
    >
      <div class="grid gap-x-8 gap-y-2 md:grid-cols-[minmax(0,1fr)_20rem] lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div class="min-w-0">
          <div class="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
            <Show when={props.aspect} fallback={<h3 class="font-medium">{title()}</h3>}>
              <p class="text-sm font-medium">{props.aspect}</p>
            </Show>
            <LayerBadgeView badge={props.badge ?? layerBadge(standing(), props.owner)} />
            <Show when={standing().own !== null}>
              <IconButton
                label={words.settings.reset(title(), showOwn(field(), standing(), null))}
                class="size-6!"
                onClick={() => void props.set.reset([props.fieldKey])}
              >
                <RotateCcw class="size-3.5" aria-hidden="true" />
              </IconButton>
            </Show>
          </div>
          <Show when={!props.aspect}>
            <p class="text-sm text-muted">{field().help}</p>
          </Show>
        </div>
        <div class="min-w-0">
          <Control
            kind={field().kind}
            number={<NumberControl {...controlProps()} />}
            switch={<SwitchControl {...controlProps()} />}
          >
            <TextControl {...controlProps()} />
          </Control>
          <div class="flex flex-wrap items-center justify-between gap-x-3">
            <p class="text-xs text-faint">{limitsLine(field(), standing())}</p>
            <FieldStatus
              title={title()}
              state={state()}
              canUndo={props.set.canUndo(props.fieldKey)}
              onUndo={() => void props.set.undo(props.fieldKey)}
            />
          </div>
        </div>
      </div>
      <FieldProblem id={problemId} state={state()} onRetry={() => void props.set.retry(props.fieldKey)} />
      <Show when={conflict()}>
        {(both) => (
          <ConflictChoice
            title={title()}
            mine={showEntry(field(), props.set.entry(props.fieldKey))}
            theirs={showOwn(field(), standing(), both().theirs)}
            onKeepMine={() => props.set.keepMine(props.fieldKey)}
            onTakeTheirs={() => props.set.takeTheirs(props.fieldKey)}
          />
        )}
      </Show>
    </fieldset>
  );

  function controlProps() {
    return { set: props.set, fieldKey: props.fieldKey, label: title(), problemId };
  }
}

interface ControlProps {
  readonly kind: string;
  readonly number: JSX.Element;
  readonly switch: JSX.Element;
  readonly children: JSX.Element;
}

function Control(props: ControlProps) {
  return (
    <Switch fallback={props.children}>
      <Match when={props.kind === 'WHOLE_NUMBER'}>{props.number}</Match>
      <Match when={props.kind === 'SWITCH'}>{props.switch}</Match>
    </Switch>
  );
}
