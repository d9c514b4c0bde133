import { PageHeader } from '../components/basics/page-header.tsx';
import { PersonViews } from '../components/people/person-views.tsx';
import { useViewer } from '../state/app-context.ts';
import { createPlace } from '../state/place.ts';

export function SettingsPage() {
  createPlace(() => 'Settings');
  const viewer = useViewer();
  return (
    <div class="mx-auto max-w-4xl">
      <PageHeader title="Settings" description="How far your agent may go, and which models answer." />
      <PersonViews userId={viewer().id} self />
    </div>
  );
}
