import { type AccessTokenFragment, UserTokensDocument } from '@oracle-agent/sdk/documents';
import KeyRound from 'lucide-solid/icons/key-round';
import Plus from 'lucide-solid/icons/plus';
import { createSignal, For, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createLoad } from '../../state/load.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { StatusPill } from '../basics/status-pill.tsx';
import { TimeText } from '../basics/time-text.tsx';
import { IssueTokenDialog } from './issue-token-dialog.tsx';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';

const said = words.people.tokenList;

interface TokensPanelProps {
  readonly userId: string;
  readonly self: boolean;
}

/** A person's tokens: what they are called, whether they still work, and when they were last used. */
export function TokensPanel(props: TokensPanelProps) {
  const { session } = useApp();
  const load = createLoad(session.client, UserTokensDocument, () => ({ userId: props.userId }));
  const [issuing, setIssuing] = createSignal(false);
  const [revoking, setRevoking] = createSignal<AccessTokenFragment>();
  const hasTokens = () => {
    const state = load.state();
    return state.type === 'ready' && (state.data.user?.tokens.length ?? 0) > 0;
  };
  const issueButton = (variant: 'primary' | 'secondary') => (
    <Button variant={variant} onClick={() => setIssuing(true)}>
      <Plus class="size-4" aria-hidden="true" /> {said.issue}
    </Button>
  );

  return (
    <section aria-label={said.label} class="flex flex-col gap-4">
      <div class="flex flex-wrap items-center justify-between gap-3">
        <p class="text-muted">{props.self ? said.self : said.other}</p>
        <Show when={hasTokens()}>{issueButton('secondary')}</Show>
      </div>
      <LoadView state={load.state()} onRetry={() => void load.reload()}>
        {(data) => (
          <div class="rounded-lg border border-line bg-surface">
            <Show
              when={hasTokens()}
              fallback={
                <EmptyNotice
                  title={said.none}
                  text={props.self ? said.noneSelf : said.noneOther}
                  action={issueButton('primary')}
                />
              }
            >
              <ul class="divide-y divide-line">
                <For each={data().user?.tokens}>
                  {(token) => <TokenRow token={token} onRevoke={() => setRevoking(token)} />}
                </For>
              </ul>
            </Show>
          </div>
        )}
      </LoadView>
      <IssueTokenDialog
        userId={props.userId}
        open={issuing()}
        onClose={() => setIssuing(false)}
        onIssued={() => void load.reload()}
      />
      <RevokeTokenDialog
        token={revoking()}
        onClose={() => setRevoking(undefined)}
        onRevoked={() => {
          setRevoking(undefined);
          void load.reload();
        }}
      />
    </section>
  );
}

function TokenRow(props: { readonly token: AccessTokenFragment; readonly onRevoke: () => void }) {
  return (
    <li class="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <KeyRound class="size-4 shrink-0 text-faint max-sm:hidden" aria-hidden="true" />
      <div class="min-w-0 grow basis-52">
        <p class="flex flex-wrap items-center gap-2">
          <span class="font-medium wrap-anywhere">{props.token.name}</span>
          <TokenStatusPill token={props.token} />
        </p>
        <p class="flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            {said.issued} <TimeText at={props.token.createdAt} />
          </span>
          <Show when={props.token.lastUsedAt} fallback={<span>{said.neverUsed}</span>}>
            {(at) => (
              <span>
                {said.lastUsed} <TimeText at={at()} />
              </span>
            )}
          </Show>
          <Show when={props.token.status === 'ACTIVE' && props.token.expiresAt}>
            {(at) => (
              <span>
                {said.ends} <TimeText at={at()} />
              </span>
            )}
          </Show>
        </p>
      </div>
      <Show when={props.token.status === 'ACTIVE'}>
        <Button size="small" aria-label={said.revokeOf(props.token.name)} onClick={() => props.onRevoke()}>
          {said.revoke}
        </Button>
      </Show>
    </li>
  );
}

function TokenStatusPill(props: { readonly token: AccessTokenFragment }) {
  const look = () => {
    switch (props.token.status) {
      case 'ACTIVE':
        return { text: props.token.current ? said.activeHere : said.active, tone: 'good' } as const;
      case 'EXPIRED':
        return { text: said.expired, tone: 'neutral' } as const;
      case 'REVOKED':
        return { text: said.revoked, tone: 'neutral' } as const;
    }
  };
  return <StatusPill text={look().text} tone={look().tone} />;
}
