import { UsageDocument } from '@oracle-agent/sdk/documents';
import { useSearchParams } from '@solidjs/router';
import type { Client } from '@urql/core';
import { createMemo } from 'solid-js';
import { createLoad } from '../load.ts';
import { chosenRange } from './usage-range.ts';

/** Whose runs: everyone's, one person's, or the reader's own. */
export type Whose = { readonly everyone: true } | { readonly userId: string } | Record<string, never>;

type Params = Record<'range' | 'from' | 'to' | 'bucket' | 'user' | 'model' | 'view', string>;

/** Range, bucket, person, model and view live in the address: a reload or a link shows the same. */
export function createUsagePage(client: Client, everyone: boolean) {
  const [params, setParams] = useSearchParams<Params>();
  const openedAt = new Date();
  const range = createMemo(() => chosenRange(params, openedAt));
  const whose = (): Whose => {
    if (!everyone) return {};
    return params.user ? { userId: params.user } : { everyone: true };
  };
  const load = createLoad(client, UsageDocument, () => ({
    filter: { ...whose(), ...(params.model ? { model: params.model } : {}) },
    range: { from: range().from.toISOString(), until: range().until.toISOString() },
    bucket: range().bucket,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }));

  return {
    ...load,
    range,
    userId: () => (everyone ? params.user : undefined),
    model: () => params.model ?? '',
    asTables: () => params.view === 'tables',
    choose: (changes: Partial<Record<keyof Params, string | undefined>>) => setParams(changes),
  };
}

export type UsagePageState = ReturnType<typeof createUsagePage>;
