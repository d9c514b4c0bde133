import Download from 'lucide-solid/icons/download';
import type { JSX } from 'solid-js';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';

interface ChartCardProps {
  readonly title: string;
  readonly explanation: string;
  readonly onExport?: () => void;
  readonly wide?: boolean;
  readonly children: JSX.Element;
}

export function ChartCard(props: ChartCardProps) {
  return (
    <section
      aria-label={props.title}
      class={`min-w-0 rounded-lg border border-line bg-surface p-4 ${props.wide ? 'lg:col-span-2' : ''}`}
    >
      <header class="mb-3 flex items-start justify-between gap-3">
        <div class="min-w-0">
          <h2 class="text-base font-semibold">{props.title}</h2>
          <p class="text-sm text-muted">{props.explanation}</p>
        </div>
        {props.onExport && (
          <Button size="small" aria-label={words.usage.exportChart(props.title)} onClick={() => props.onExport?.()}>
            <Download class="size-3.5" aria-hidden="true" /> {words.usage.export}
          </Button>
        )}
      </header>
      {props.children}
    </section>
  );
}
