import type { Bind } from './call.ts';
import * as documents from './generated/documents.ts';
import type { UsageQuery, UsageQueryVariables, WhatIfQuery, WhatIfQueryVariables } from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** What runs used and how they ended, over time. */
export type UsageReport = UsageQuery['usage'];

/** How past runs would have fared under other limits. */
export type WhatIfReport = WhatIfQuery['whatIf'];

/** What runs used, and what they would have used. */
export interface UsageApi {
  /** Endings, tokens, turns, durations and warnings, bucket by bucket. */
  over(which: UsageQueryVariables, options?: RequestOptions): Promise<UsageReport>;
  /** Moves limits and tells how the newest runs would have fared. Changes nothing. */
  whatIf(which: WhatIfQueryVariables, options?: RequestOptions): Promise<WhatIfReport>;
}

/** Binds usage to a way of sending requests. */
export function makeUsageApi(bind: Bind): UsageApi {
  return { over: bind(documents.UsageDocument), whatIf: bind(documents.WhatIfDocument) };
}
