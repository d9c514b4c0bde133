import type { JSX } from 'solid-js';

interface SettingsCardProps {
  readonly name: string;
  /** One sentence that says what the values amount to. */
  readonly meaning?: string | undefined;
  readonly children: JSX.Element;
}

export function SettingsCard(props: SettingsCardProps) {
  return (
    <section aria-label={props.name} class="rounded-lg border border-line bg-surface">
      <header class="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b border-line px-4 py-3 sm:px-5">
        <h2 class="text-base font-semibold">{props.name}</h2>
        <p class="text-sm text-muted" data-meaning={props.name}>
          {props.meaning}
        </p>
      </header>
      <div class="divide-y divide-line">{props.children}</div>
    </section>
  );
}
