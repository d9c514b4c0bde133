import type { ThreadEntryFragment } from '@oracle-agent/sdk/documents';
import { createUniqueId } from 'solid-js';
import { words } from '../../words.ts';
import { SelectField } from '../basics/select-field.tsx';

export type EntryKind = ThreadEntryFragment['kind'];

const kinds: readonly EntryKind[] = ['THOUGHT', 'DECISION', 'RESEARCH', 'INSIGHT'];
const options = kinds.map((value) => ({ value, label: words.threads.kinds[value] }));

interface EntryFieldsProps {
  readonly kind: EntryKind;
  readonly onKind: (kind: EntryKind) => void;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** What an entry of a thread is, and what it says. */
export function EntryFields(props: EntryFieldsProps) {
  const id = createUniqueId();
  return (
    <>
      <SelectField label={words.threads.kind} options={options} value={props.kind} onChange={props.onKind} />
      <div class="flex flex-col gap-1">
        <label for={id} class="font-medium">
          {words.threads.text}
        </label>
        <textarea
          id={id}
          rows="4"
          dir="auto"
          class="w-full resize-y rounded-md border border-control bg-surface px-2.5 py-1.5"
          value={props.text}
          onInput={(event) => props.onText(event.currentTarget.value)}
        />
      </div>
    </>
  );
}
