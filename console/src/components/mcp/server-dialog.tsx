import { AddMcpServerDocument, type McpServerFragment, UpdateMcpServerDocument } from '@oracle-agent/sdk/documents';
import { createSignal, createUniqueId, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createFormSubmit } from '../../state/form-submit.ts';
import { mutate } from '../../state/graphql-client.ts';
import {
  draftOf,
  inputToAdd,
  inputToUpdate,
  isWholeNumber,
  problemOf,
  type ServerDraft,
  secretsField,
  type Transport,
} from '../../state/mcp-server-draft.ts';
import { toasts } from '../../state/toasts.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { SelectField } from '../basics/select-field.tsx';
import { inputClass, TextField } from '../basics/text-field.tsx';
import { SecretFields } from './secret-fields.tsx';

const said = words.mcpServers.form;

const transports = (['HTTP', 'STDIO'] as const satisfies readonly Transport[]).map((value) => ({
  value,
  label: words.mcpServers.transports[value],
}));

interface ServerDialogProps {
  /** The one to edit, or that a new one is wanted; undefined while it is closed. */
  readonly about: McpServerFragment | 'new' | undefined;
  readonly onClose: () => void;
  /** How a server now stands, be it by this dialog or by somebody else. */
  readonly onKnown: (server: McpServerFragment) => void;
  readonly onSaved: (server: McpServerFragment) => void;
}

export function ServerDialog(props: ServerDialogProps) {
  const server = () => (props.about === 'new' ? undefined : props.about);
  return (
    <Dialog
      open={props.about !== undefined}
      onClose={() => props.onClose()}
      title={server() ? said.editTitle(server()?.name ?? '') : said.addTitle}
    >
      <Show when={props.about} keyed>
        {(about) => <ServerForm {...props} server={about === 'new' ? undefined : about} />}
      </Show>
    </Dialog>
  );
}

function ServerForm(props: Omit<ServerDialogProps, 'about'> & { readonly server: McpServerFragment | undefined }) {
  const { session } = useApp();
  const form = createFormSubmit();
  const argsId = createUniqueId();
  const { server } = props;
  const [draft, setDraft] = createSignal<ServerDraft>(draftOf(server));
  const [version, setVersion] = createSignal(server?.version ?? 0);
  const [conflict, setConflict] = createSignal(false);
  const set = (change: Partial<ServerDraft>) => setDraft((now) => ({ ...now, ...change }));
  const problem = (field: string) => problemOf(form.problems(), field);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!isWholeNumber(draft().timeout))
      return form.refuse([{ field: 'timeoutSeconds', message: said.timeoutProblem }]);
    setConflict(false);
    const result = await form.submit(async () => send());
    if (result?.__typename === 'InvalidInput') return form.refuse(result.problems);
    if (result?.__typename === 'McpServerConflict') {
      setConflict(true);
      setVersion(result.current.version);
      return props.onKnown(result.current);
    }
    if (!result) return;
    toasts.show({ text: server ? said.saved(result.name) : said.added(result.name) });
    props.onSaved(result);
  }

  async function send() {
    if (server) {
      const input = inputToUpdate(server, version(), draft());
      const answer = await mutate(session.client, UpdateMcpServerDocument, { input });
      return answer.type === 'failed' ? answer : { type: 'data' as const, data: answer.data.updateMcpServer };
    }
    const answer = await mutate(session.client, AddMcpServerDocument, { input: inputToAdd(draft()) });
    return answer.type === 'failed' ? answer : { type: 'data' as const, data: answer.data.addMcpServer };
  }

  return (
    <form class="flex flex-col gap-4" novalidate onSubmit={(event) => void submit(event)}>
      <TextField
        label={said.name}
        hint={said.nameHint}
        autocomplete="off"
        spellcheck={false}
        value={draft().name}
        onInput={(event) => set({ name: event.currentTarget.value })}
        problem={problem('name')}
      />
      <Show when={!server}>
        <SelectField
          label={said.transport}
          options={transports}
          value={draft().transport}
          onChange={(transport) => set({ transport })}
        />
      </Show>
      <Show
        when={draft().transport === 'HTTP'}
        fallback={
          <>
            <TextField
              label={said.command}
              hint={said.commandHint}
              autocomplete="off"
              spellcheck={false}
              class="font-mono text-sm"
              value={draft().command}
              onInput={(event) => set({ command: event.currentTarget.value })}
              problem={problem('command')}
            />
            <div class="flex flex-col gap-1">
              <label for={argsId} class="font-medium">
                {said.args}
              </label>
              <textarea
                id={argsId}
                rows={3}
                spellcheck={false}
                class={`${inputClass} h-auto py-1.5 font-mono text-sm`}
                aria-invalid={problem('args') ? 'true' : undefined}
                aria-describedby={`${argsId}-hint ${argsId}-problem`}
                value={draft().args}
                onInput={(event) => set({ args: event.currentTarget.value })}
              />
              <p id={`${argsId}-hint`} class="text-sm text-muted">
                {said.argsHint}
              </p>
              <p id={`${argsId}-problem`} role="alert" class="text-sm text-failure empty:hidden">
                {problem('args')}
              </p>
            </div>
          </>
        }
      >
        <TextField
          label={said.url}
          hint={said.urlHint}
          type="url"
          autocomplete="off"
          spellcheck={false}
          value={draft().url}
          onInput={(event) => set({ url: event.currentTarget.value })}
          problem={problem('url')}
        />
      </Show>
      <SecretFields
        kind={secretsField(draft().transport)}
        secrets={draft().secrets}
        problems={form.problems()}
        onChange={(secrets) => set({ secrets })}
      />
      <TextField
        label={said.timeout}
        inputmode="numeric"
        autocomplete="off"
        class="max-w-28 tabular-nums"
        value={draft().timeout}
        onInput={(event) => set({ timeout: event.currentTarget.value })}
        problem={problem('timeoutSeconds')}
      />
      <p role="alert" class="text-sm text-failure empty:hidden">
        {conflict() ? said.conflict : form.problems().general}
      </p>
      <div class="flex justify-end gap-2">
        <Button onClick={() => props.onClose()}>{said.cancel}</Button>
        <Button type="submit" variant="primary" disabled={form.busy()}>
          {form.busy() ? said.working : server ? said.submitEdit : said.submitAdd}
        </Button>
      </div>
    </form>
  );
}
