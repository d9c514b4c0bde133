import { createEffect, createSignal, For, on, Show } from 'solid-js';
import type { ProjectContents, Projects } from '../../state/knowledge/projects.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';

interface DeleteProjectDialogProps {
  readonly open: boolean;
  readonly project: { readonly id: string; readonly name: string };
  readonly projects: Projects;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Counts what would go before anything does. */
export function DeleteProjectDialog(props: DeleteProjectDialogProps) {
  const [contents, setContents] = createSignal<ProjectContents>();
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);

  createEffect(
    on(
      () => props.open,
      async (open) => {
        setContents(undefined);
        setProblem(undefined);
        if (!open) return;
        const found = await props.projects.contents(props.project.id);
        if (typeof found === 'string') setProblem(found);
        else setContents(found);
      },
    ),
  );

  async function remove() {
    setBusy(true);
    const failed = await props.projects.remove(props.project.id, props.project.name);
    setBusy(false);
    setProblem(failed);
    if (failed !== undefined) return;
    props.onClose();
    props.onDeleted();
  }

  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={words.knowledge.deleteTitle(props.project.name)}
      role="alertdialog"
    >
      <p role="alert" class="mb-3 text-failure empty:hidden">
        {problem()}
      </p>
      <Show when={contents()} fallback={<p class="text-muted">{words.knowledge.deleteCounting}</p>}>
        {(found) => (
          <>
            <p>{words.knowledge.deleteText}</p>
            <ul class="my-2 list-disc pl-5 font-medium">
              <For each={words.knowledge.deleteCounts(found().notes, found().threads, found().files)}>
                {(line) => <li>{line}</li>}
              </For>
            </ul>
            <p class="text-muted">{words.knowledge.deleteKeeps}</p>
          </>
        )}
      </Show>
      <div class="mt-4 flex justify-end gap-2">
        <Button variant="ghost" onClick={() => props.onClose()}>
          {words.knowledge.deleteCancel}
        </Button>
        <Button variant="danger" disabled={busy() || !contents()} onClick={() => void remove()}>
          {words.knowledge.deleteConfirm}
        </Button>
      </div>
    </Dialog>
  );
}
