import type { RuleFragment } from '@oracle-agent/sdk/documents';
import { Show } from 'solid-js';
import { isOn, type RulesList } from '../../state/rules/rules-list.ts';
import { words } from '../../words.ts';
import { StatusPill } from '../basics/status-pill.tsx';
import { SwitchRow } from '../basics/switch-row.tsx';
import { TimeText } from '../basics/time-text.tsx';

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
    <SwitchRow
      name={props.rule.name}
      href={props.href}
      current={props.current}
      switchLabel={(props.everyone ? said.switchForEverybody : said.switchFor)(props.rule.name)}
      on={isOn(props.rule, props.everyone)}
      locked={locked()}
      onSwitch={(on) => void props.list.setEnabled(props.rule, on)}
      badges={
        <>
          <Show when={props.rule.core}>
            <span title={said.coreHelp}>
              <StatusPill text={said.core} tone="accent" />
            </span>
          </Show>
          <Show when={!props.everyone && props.rule.enabledForEverybody === false}>
            <StatusPill text={said.offForEverybody} tone="neutral" />
          </Show>
        </>
      }
    >
      <p dir="auto" class="mt-0.5 text-sm wrap-anywhere text-muted">
        {props.rule.description}
      </p>
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
    </SwitchRow>
  );
}
