import { Menu as ArkMenu } from '@ark-ui/solid/menu';
import Ellipsis from 'lucide-solid/icons/ellipsis';
import Pencil from 'lucide-solid/icons/pencil';
import Plus from 'lucide-solid/icons/plus';
import Trash from 'lucide-solid/icons/trash';
import { createSignal, createUniqueId, For, Show } from 'solid-js';
import type { Projects } from '../../state/knowledge/projects.ts';
import { words } from '../../words.ts';
import { inputClass } from '../basics/text-field.tsx';
import { NameDialog } from '../chat/name-dialog.tsx';
import { Menu, menuItemClass } from '../frame/menu.tsx';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';

interface ProjectBarProps {
  readonly projects: Projects;
  /** Undefined: the default one. */
  readonly onChoose: (id: string | undefined) => void;
}

/** Which project is looked at, and what can be done with it. */
export function ProjectBar(props: ProjectBarProps) {
  const id = createUniqueId();
  const [open, setOpen] = createSignal<'create' | 'rename' | 'delete'>();
  const chosen = () => props.projects.chosen();

  return (
    <div class="flex items-center gap-1">
      <label for={id} class="sr-only">
        {words.knowledge.project}
      </label>
      <select
        id={id}
        class={`${inputClass} max-w-60 min-w-40`}
        onChange={(event) => {
          const project = props.projects.list()[event.currentTarget.selectedIndex];
          if (project) props.onChoose(project.isDefault ? undefined : project.id);
        }}
      >
        <For each={props.projects.list()}>
          {(project) => (
            <option value={project.id} selected={project.id === chosen()?.id}>
              {project.isDefault ? words.knowledge.defaultProject(project.name) : project.name}
            </option>
          )}
        </For>
      </select>
      <Menu
        label={words.knowledge.projectActions}
        trigger={<Ellipsis class="size-4" aria-hidden="true" />}
        onSelect={(value) => setOpen(value === 'create' || value === 'rename' ? value : 'delete')}
      >
        <ArkMenu.Item value="create" class={menuItemClass}>
          <Plus class="size-4 text-muted" aria-hidden="true" /> {words.knowledge.createProject}
        </ArkMenu.Item>
        <ArkMenu.Item value="rename" class={menuItemClass}>
          <Pencil class="size-4 text-muted" aria-hidden="true" /> {words.knowledge.renameProject}
        </ArkMenu.Item>
        <Show when={!chosen()?.isDefault}>
          <ArkMenu.Item value="delete" class={`${menuItemClass} text-failure`}>
            <Trash class="size-4" aria-hidden="true" /> {words.knowledge.deleteProject}
          </ArkMenu.Item>
        </Show>
      </Menu>
      <NameDialog
        open={open() === 'create' || open() === 'rename'}
        title={open() === 'create' ? words.knowledge.createProject : words.knowledge.renameProject}
        field={words.knowledge.name}
        action={open() === 'create' ? words.knowledge.create : words.knowledge.rename}
        value={open() === 'rename' ? (chosen()?.name ?? '') : ''}
        onClose={() => setOpen(undefined)}
        onSave={async (name) => {
          const project = chosen();
          if (open() === 'rename') return project && props.projects.rename(project.id, name, project.name);
          const made = await props.projects.create(name);
          if (typeof made === 'string') return made;
          props.onChoose(made.id);
          return undefined;
        }}
      />
      <Show when={chosen()}>
        {(project) => (
          <DeleteProjectDialog
            open={open() === 'delete'}
            project={project()}
            projects={props.projects}
            onClose={() => setOpen(undefined)}
            onDeleted={() => props.onChoose(undefined)}
          />
        )}
      </Show>
    </div>
  );
}
