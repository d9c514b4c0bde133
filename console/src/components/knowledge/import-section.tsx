import Upload from 'lucide-solid/icons/upload';
import { createSignal, Match, Show, Switch } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { type DroppedFile, droppedFiles, pickedFiles } from '../../state/knowledge/dropped-files.ts';
import { mostFiles, planImport } from '../../state/knowledge/import-plan.ts';
import { createImport, type ImportFile } from '../../state/knowledge/import-run.ts';
import { words } from '../../words.ts';
import { Button, buttonClass } from '../basics/button.tsx';
import { ImportResults } from './import-results.tsx';

interface ImportSectionProps {
  readonly project: string | undefined;
  readonly projectName: string;
}

const said = words.knowledge.import;

/** Brings in files from this device: what becomes of them is said before, during and after. */
export function ImportSection(props: ImportSectionProps) {
  const { session } = useApp();
  const [planned, setPlanned] = createSignal<readonly ImportFile[]>([]);
  const [problem, setProblem] = createSignal<string>();
  const [over, setOver] = createSignal(false);
  const run = createImport(
    session.client,
    () => props.project,
    () => setPlanned([]),
  );
  const count = (kind: ImportFile['kind']) => planned().filter((file) => file.kind === kind).length;

  function plan(files: readonly DroppedFile[]) {
    run.reset();
    setProblem(files.length === 0 ? said.nothing : files.length > mostFiles ? said.tooMany(mostFiles) : undefined);
    setPlanned(files.length > mostFiles ? [] : planImport(files));
  }

  async function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    plan(await droppedFiles(event.dataTransfer, mostFiles));
  }

  return (
    <div class="mx-auto flex max-w-3xl flex-col gap-4">
      <section
        aria-labelledby="import-title"
        class="flex flex-col items-center gap-3 rounded-lg border-2 border-dashed border-line bg-surface px-6 py-10 text-center"
        classList={{ 'border-accent! bg-accent-soft!': over() }}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => void drop(event)}
      >
        <Upload class="size-6 text-faint" aria-hidden="true" />
        <h2 id="import-title" class="font-semibold">
          {said.title}
        </h2>
        <p class="max-w-md text-muted">{said.text}</p>
        <p class="text-muted">
          {said.drop} {said.or}
        </p>
        <div class="flex flex-wrap justify-center gap-2">
          <Picker label={said.chooseFiles} onPick={plan} />
          <Picker label={said.chooseFolder} folder onPick={plan} />
        </div>
        <p class="mt-2 max-w-md text-sm text-muted">
          {said.large(mostFiles)} <code class="font-mono text-text">{said.command}</code>
        </p>
      </section>
      <p role="alert" class="text-failure empty:hidden">
        {problem()}
      </p>
      <Show when={planned().length > 0 && run.state().type === 'idle'}>
        <div class="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-surface px-4 py-3">
          <p>
            {said.plan(count('note'), count('code'), count('skipped'))} {said.into(props.projectName)}
          </p>
          <Button
            variant="primary"
            disabled={count('note') + count('code') === 0}
            onClick={() => void run.start(planned())}
          >
            {said.start}
          </Button>
        </div>
      </Show>
      <ImportProgress run={run} />
      <ImportResults results={run.state().type === 'idle' ? [] : run.results()} project={props.project} />
    </div>
  );
}

function Picker(props: {
  readonly label: string;
  readonly folder?: boolean;
  readonly onPick: (files: readonly DroppedFile[]) => void;
}) {
  return (
    <label
      class={`${buttonClass('secondary')} cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text`}
    >
      {props.label}
      <input
        type="file"
        multiple
        class="sr-only"
        ref={(input) => {
          input.webkitdirectory = props.folder === true;
        }}
        onChange={(event) => {
          props.onPick(pickedFiles(event.currentTarget.files));
          // The same choice a second time must be noticed too.
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}

function ImportProgress(props: { readonly run: ReturnType<typeof createImport> }) {
  const counted = () => {
    const state = props.run.state();
    return state.type === 'idle' ? undefined : state;
  };
  const failed = () => props.run.results().filter(({ outcome }) => outcome === 'failed').length;
  return (
    <Show when={counted()}>
      {(now) => (
        <div class="flex flex-col gap-2 rounded-lg border border-line bg-surface px-4 py-3">
          <div class="flex flex-wrap items-center justify-between gap-3">
            <p role="status">
              <Switch fallback={said.running(now().done, now().total)}>
                <Match when={now().type === 'done'}>{said.done(now().done - failed(), failed())}</Match>
                <Match when={now().type === 'cancelled'}>{said.cancelled(now().done - failed())}</Match>
              </Switch>
            </p>
            <Show
              when={now().type === 'running'}
              fallback={
                <Button size="small" onClick={() => props.run.reset()}>
                  {said.again}
                </Button>
              }
            >
              <Button size="small" onClick={() => props.run.cancel()}>
                {said.cancel}
              </Button>
            </Show>
          </div>
          <progress
            class="h-1.5 w-full accent-accent"
            aria-label={said.progress}
            value={now().done}
            max={Math.max(1, now().total)}
          />
        </div>
      )}
    </Show>
  );
}
