import { createUniqueId, For, Show } from 'solid-js';
import type { BulkField, BulkLimits, Mode } from '../../state/bulk-limits.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { inputClass } from '../basics/text-field.tsx';

const said = words.bulkLimits;
const modes: readonly Mode[] = ['keep', 'set', 'clear'];

/** Which limits to change, and to what. */
export function BulkLimitsForm(props: { readonly bulk: BulkLimits; readonly onCancel: () => void }) {
  return (
    <form
      novalidate
      class="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void props.bulk.look();
      }}
    >
      <ul class="divide-y divide-line rounded-lg border border-line">
        <For each={props.bulk.fields}>{(item) => <LimitRow bulk={props.bulk} item={item} />}</For>
      </ul>
      <p role="alert" class="text-sm text-failure empty:hidden">
        {props.bulk.problems().general}
      </p>
      <div class="flex justify-end gap-2">
        <Button onClick={() => props.onCancel()}>{said.cancel}</Button>
        <Button type="submit" variant="primary" disabled={props.bulk.busy()}>
          {props.bulk.busy() ? said.previewing : said.preview}
        </Button>
      </div>
    </form>
  );
}

function LimitRow(props: { readonly bulk: BulkLimits; readonly item: BulkField }) {
  const id = createUniqueId();
  const field = () => props.item.field;
  const entry = () => props.bulk.entry(field().key);
  const problem = () => props.bulk.problems().fields[field().key];
  const most = () => Math.min(field().max ?? Number.MAX_SAFE_INTEGER, props.item.ceiling ?? Number.MAX_SAFE_INTEGER);
  let input: HTMLInputElement | undefined;

  function choose(mode: Mode) {
    props.bulk.setEntry(field().key, { ...entry(), mode });
    if (mode === 'set') input?.focus();
  }

  return (
    <li class="grid grid-cols-1 items-center gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[1fr_11rem_9rem]">
      <span>
        <span class="block font-medium">{field().title}</span>
        <span id={`${id}-bounds`} class="block text-sm text-muted">
          {`${said.bounds(field().min ?? 0, most(), props.item.ceiling === most())} ${field().unit}`}
        </span>
      </span>
      <select
        aria-label={said.modeOf(field().title)}
        class={inputClass}
        onChange={(event) => choose(modes[event.currentTarget.selectedIndex] ?? 'keep')}
      >
        <For each={modes}>{(mode) => <option selected={entry().mode === mode}>{said.modes[mode]}</option>}</For>
      </select>
      <input
        ref={input}
        type="text"
        inputmode="numeric"
        autocomplete="off"
        aria-label={said.valueOf(field().title)}
        aria-describedby={`${id}-bounds ${id}-problem`}
        aria-invalid={problem() ? 'true' : undefined}
        class={`${inputClass} text-right tabular-nums`}
        classList={{ 'max-sm:hidden sm:invisible': entry().mode !== 'set' }}
        value={entry().text}
        onInput={(event) => props.bulk.setEntry(field().key, { mode: 'set', text: event.currentTarget.value })}
      />
      <Show when={problem()}>
        {(message) => (
          <p id={`${id}-problem`} role="alert" class="text-sm text-failure sm:col-span-3">
            {message()}
          </p>
        )}
      </Show>
    </li>
  );
}
