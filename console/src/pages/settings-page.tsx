import { PageHeader } from '../components/basics/page-header.tsx';
import { PersonViews } from '../components/people/person-views.tsx';
import { UsageLinks } from '../components/usage/usage-links.tsx';
import { useViewer } from '../state/app-context.ts';
import { createPlace } from '../state/place.ts';
import { words } from '../words.ts';

export function SettingsPage() {
  createPlace(() => words.settings.title);
  const viewer = useViewer();
  return (
    <div class="mx-auto max-w-4xl">
      <PageHeader title={words.settings.title} description={words.settings.description} actions={<UsageLinks />} />
      <PersonViews userId={viewer().id} self />
    </div>
  );
}
