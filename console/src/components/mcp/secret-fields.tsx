import Plus from 'lucide-solid/icons/plus';
import X from 'lucide-solid/icons/x';
import { createUniqueId, Index } from 'solid-js';
import type { FormProblems } from '../../state/form-submit.ts';
import type { SecretDraft } from '../../state/mcp-server-draft.ts';
import { words } from '../../words.ts';
import { Button, IconButton } from '../basics/button.tsx';
import { inputClass } from '../basics/text-field.tsx';

const said = words.mcpServers.form;

interface SecretFieldsProps {
  readonly kind: 'headers' | 'environment';
  readonly secrets: readonly SecretDraft[];
  readonly problems: FormProblems;
  readonly onChange: (secrets: readonly SecretDraft[]) => void;
}

/** Names with values that can be written and never read. */
export function SecretFields(props: SecretFieldsProps) {
  const id = createUniqueId();
  const problemAt = (index: number, part: 'name' | 'value') => props.problems.fields[`${props.kind}.${index}.${part}`];
  const set = (index: number, change: Partial<SecretDraft>) =>
    props.onChange(props.secrets.map((secret, at) => (at === index ? { ...secret, ...change } : secret)));

  return (
    <fieldset class="flex min-w-0 flex-col gap-2" aria-describedby={`${id}-hint ${id}-problem`}>
      <legend class="mb-1 font-medium">{said.secrets[props.kind]}</legend>
      <p id={`${id}-hint`} class="text-sm text-muted">
        {said.secretsHint}
      </p>
      <Index each={props.secrets}>
        {(secret, index) => (
          <div>
            <div class="flex gap-2">
              <input
                class={`${inputClass} min-w-0 basis-2/5 font-mono text-sm read-only:bg-sunken`}
                aria-label={said.secretName(index + 1)}
                placeholder={said.secretName(index + 1)}
                aria-invalid={problemAt(index, 'name') ? 'true' : undefined}
                aria-describedby={`${id}-${index}`}
                autocomplete="off"
                spellcheck={false}
                // A stored value belongs to its name.
                readonly={secret().stored}
                value={secret().name}
                onInput={(event) => set(index, { name: event.currentTarget.value })}
              />
              <input
                type="password"
                class={`${inputClass} min-w-0 flex-1`}
                aria-label={said.secretValue(index + 1)}
                placeholder={secret().stored ? said.unchanged : said.secretValue(index + 1)}
                aria-invalid={problemAt(index, 'value') ? 'true' : undefined}
                aria-describedby={`${id}-${index}`}
                autocomplete="new-password"
                value={secret().value}
                onInput={(event) => set(index, { value: event.currentTarget.value })}
              />
              <IconButton
                label={said.removeSecret(secret().name, index + 1)}
                onClick={() => props.onChange(props.secrets.filter((_, at) => at !== index))}
              >
                <X class="size-4" aria-hidden="true" />
              </IconButton>
            </div>
            <p id={`${id}-${index}`} role="alert" class="mt-1 text-sm text-failure empty:hidden">
              {problemAt(index, 'name') ?? problemAt(index, 'value')}
            </p>
          </div>
        )}
      </Index>
      <p id={`${id}-problem`} role="alert" class="text-sm text-failure empty:hidden">
        {props.problems.fields[props.kind]}
      </p>
      <Button
        size="small"
        class="self-start"
        onClick={() => props.onChange([...props.secrets, { name: '', value: '', stored: false }])}
      >
        <Plus class="size-3.5" aria-hidden="true" /> {said.addSecret[props.kind]}
      </Button>
    </fieldset>
  );
}
