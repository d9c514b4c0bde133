import { useSearchParams } from '@solidjs/router';
import { LoadView } from '../components/basics/load-view.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { WhatIfLimits } from '../components/usage/what-if-limits.tsx';
import { WhatIfResult } from '../components/usage/what-if-result.tsx';
import { useApp, useViewer } from '../state/app-context.ts';
import { createPlace } from '../state/place.ts';
import { createWhatIf } from '../state/usage/what-if.ts';
import { createUserSettings, type UserSettings } from '../state/user-settings.ts';
import { words } from '../words.ts';

/** Over one's own runs; for administrators over everyone's, or one person's. */
export function WhatIfPage(props: { readonly everyone?: boolean }) {
  createPlace(() => words.whatIf.title);
  const { session, live } = useApp();
  const viewer = useViewer();
  const [params] = useSearchParams<{ user: string }>();
  const userId = props.everyone ? params.user : undefined;
  const everyone = props.everyone === true && userId === undefined;
  const settings = createUserSettings(session.client, live, userId ?? viewer().id, () => undefined);

  return (
    <>
      <PageHeader title={words.whatIf.title} description={words.whatIf.description} />
      <LoadView state={settings.state()} onRetry={() => void settings.reload()}>
        {(loaded) => <Trial settings={loaded()} userId={userId} everyone={everyone} />}
      </LoadView>
    </>
  );
}

interface TrialProps {
  readonly settings: UserSettings;
  readonly userId: string | undefined;
  readonly everyone: boolean;
}

function Trial(props: TrialProps) {
  const { session } = useApp();
  const whose = () => (props.everyone ? { everyone: true as const } : props.userId ? { userId: props.userId } : {});
  const whatIf = createWhatIf(session.client, whose, props.settings.agent);
  return (
    <div class="grid gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <WhatIfLimits set={props.settings.agent} whatIf={whatIf} everyone={props.everyone} />
      <section
        aria-label={words.whatIf.result}
        aria-busy={whatIf.asking()}
        class="min-w-0 rounded-lg border border-line bg-surface p-4"
      >
        <h2 class="mb-2 text-base font-semibold">{words.whatIf.result}</h2>
        <div aria-live="polite">
          <LoadView state={whatIf.state()} onRetry={() => void whatIf.reload()}>
            {(report) => <WhatIfResult report={report()} />}
          </LoadView>
        </div>
      </section>
    </div>
  );
}
