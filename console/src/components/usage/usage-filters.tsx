import { ModelsDocument } from '@oracle-agent/sdk/documents';
import { createUniqueId, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createLoad } from '../../state/load.ts';
import type { UsagePageState } from '../../state/usage/usage-page.ts';
import { bucketSizes, mayBeHours, presets } from '../../state/usage/usage-range.ts';
import { words } from '../../words.ts';
import { SelectField } from '../basics/select-field.tsx';
import { inputClass } from '../basics/text-field.tsx';

/** Every choice goes to the address; what follows from it is loaded by itself. */
export function UsageFilters(props: { readonly page: UsagePageState }) {
  const { session } = useApp();
  const text = words.usage;
  const range = () => props.page.range();
  const models = createLoad(session.client, ModelsDocument, () => ({}));
  const modelOptions = () => {
    const state = models.state();
    const known = state.type === 'ready' ? state.data.models.map(({ id, title }) => ({ value: id, label: title })) : [];
    const chosen = props.page.model();
    const missing =
      chosen !== '' && !known.some(({ value }) => value === chosen) ? [{ value: chosen, label: chosen }] : [];
    return [{ value: '', label: text.everyModel }, ...missing, ...known];
  };
  const buckets = () => bucketSizes.filter((size) => size !== 'HOUR' || mayBeHours(range().from, range().until));

  return (
    <fieldset aria-label={text.filters} class="mb-4 flex flex-wrap items-end gap-3">
      <SelectField
        label={text.range}
        value={range().preset}
        options={presets.map((value) => ({ value, label: text.ranges[value] }))}
        onChange={(preset) =>
          props.page.choose(
            preset === 'custom'
              ? { range: preset, from: range().firstDay, to: range().lastDay, bucket: undefined }
              : { range: preset, from: undefined, to: undefined, bucket: undefined },
          )
        }
      />
      <Show when={range().preset === 'custom'}>
        <DayField label={text.from} value={range().firstDay} onChange={(from) => props.page.choose({ from })} />
        <DayField label={text.to} value={range().lastDay} onChange={(to) => props.page.choose({ to })} />
      </Show>
      <SelectField
        label={text.bucket}
        value={range().bucket}
        options={buckets().map((value) => ({ value, label: text.buckets[value] }))}
        onChange={(bucket) => props.page.choose({ bucket })}
      />
      <SelectField
        label={text.model}
        value={props.page.model()}
        options={modelOptions()}
        onChange={(model) => props.page.choose({ model: model === '' ? undefined : model })}
      />
      <SelectField
        label={text.view}
        value={props.page.asTables() ? 'tables' : 'charts'}
        options={[
          { value: 'charts', label: text.asCharts },
          { value: 'tables', label: text.asTables },
        ]}
        onChange={(view) => props.page.choose({ view: view === 'tables' ? view : undefined })}
      />
    </fieldset>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
}

function DayField(props: DayFieldProps) {
  const id = createUniqueId();
  return (
    <div class="flex flex-col gap-1">
      <label for={id} class="font-medium">
        {props.label}
      </label>
      <input
        id={id}
        type="date"
        class={inputClass}
        value={props.value}
        onChange={(event) => event.currentTarget.value !== '' && props.onChange(event.currentTarget.value)}
      />
    </div>
  );
}
