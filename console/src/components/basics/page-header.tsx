import type { JSX } from 'solid-js';

interface PageHeaderProps {
  readonly title: string;
  readonly description?: JSX.Element;
  readonly actions?: JSX.Element;
}

export function PageHeader(props: PageHeaderProps) {
  return (
    <div class="mb-5 flex flex-wrap items-start justify-between gap-3">
      <div class="min-w-0">
        <h1 class="text-xl font-semibold wrap-anywhere">{props.title}</h1>
        <div class="mt-0.5 wrap-anywhere text-muted empty:hidden">{props.description}</div>
      </div>
      {props.actions}
    </div>
  );
}
