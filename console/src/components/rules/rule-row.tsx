import type { RuleFragment } from '@oracle-agent/sdk/documents';
import { Show } from 'solid-js';
import { isOn, type RulesList } from '../../state/rules/rules-list.ts';
import { words } from '../../words.ts';
import { StatusPill } from '../basics/status-pill.tsx';
import { TimeText } from '../basics/time-text.tsx';
import { Toggle } from '../basics/toggle.tsx';

const said = words.rules;

interface RuleRowProps {
  readonly rule: RuleFragment;
  readonly list: RulesList;
  readonly everyone: boolean;
  /** Where its details are. */
  readonly href: string;
  readonly current: boolean;
}

export function RuleRow(props: RuleRowProps) {
  const locked = () => !props.everyone && (props.rule.core || props.rule.enabledForEverybody === false);
  return (
    <li
      class="relative flex items-start gap-3 px-3 py-3 transition-colors hover:bg-sunken sm:px-4"
      classList={{ 'bg-accent-soft': props.current }}
    >
      <div class="relative z-1 pt-0.5">
        <Toggle
          label={(props.everyone ? said.switchForEverybody : said.switchFor)(props.rule.name)}
          checked={isOn(props.rule, props.everyone)}
          disabled={locked() || props.list.isSwitching(props.rule.id)}
          onChange={(on) => void props.list.setEnabled(props.rule, on)}
        />
      </div>
      <div class="min-w-0 flex-1">
        <div class="flex flex-wrap items-center gap-x-2 gap-y-1">
          {/* The whole row leads to the rule; the switch stands above. */}
          <a
            href={props.href}
            noScroll
            aria-current={props.current ? 'true' : undefined}
            class="font-medium wrap-anywhere after:absolute after:inset-0"
          >
            {props.rule.name}
          </a>
          <Show when={props.rule.core}>
            <span title={said.coreHelp}>
              <StatusPill text={said.core} tone="accent" />
            </span>
          </Show>
          <Show when={!props.everyone && props.rule.enabledForEverybody === false}>
            <StatusPill text={said.offForEverybody} tone="neutral" />
          </Show>
        </div>
        <p class="mt-0.5 text-sm wrap-anywhere text-muted">{props.rule.description}</p>
        <p class="mt-1 flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
          <span>{said.triggers[props.rule.trigger]}</span>
          <span>{said.actions[props.rule.action]}</span>
          <span>{said.priority(props.rule.priority)}</span>
          <span>{said.origins[props.rule.origin]}</span>
          <Show when={props.rule.lastFiredAt} fallback={<span>{said.neverFired}</span>}>
            {(at) => (
              <span>
                {said.lastFired} <TimeText at={at()} />
              </span>
            )}
          </Show>
        </p>
      </div>
    </li>
  );
}
