import { text } from '../../client/unread.js';
import type { BroadcasterAddress } from '../address.js';

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/** What applies to a broadcast, as the page needs it. */
export interface BroadcastTerms {
  readonly accountId: string;
  /** Whether viewers need a token. */
  readonly isPrivate: boolean;
  /** Whether it is recorded from its start. */
  readonly isRecorded: boolean;
}

/** Why nobody can go live with this link. */
export interface RefusedLink {
  readonly refusedAs: string;
}

/** Asks the server before the broadcast begins. Undefined: it cannot be asked now. */
export async function fetchTerms(
  origin: string,
  { streamName, token }: BroadcasterAddress,
  send = fetch,
): Promise<BroadcastTerms | RefusedLink | undefined> {
  try {
    // Without a header for it, so that no cookie or preflight plays a part.
    const body = JSON.stringify({ streamName, token });
    const response = await send(`${origin}/api/director/check`, { method: 'POST', credentials: 'omit', body });
    const { data } = Object(await response.json()) as { data?: Readonly<Record<string, unknown>> };
    if (!response.ok) return refusalOf(response.status, text(data, 'code'));
    const accountId = text(data, 'streamAccountId');
    if (accountId === undefined) return undefined;
    return { accountId, isPrivate: data?.['subscribeRequiresAuth'] === true, isRecorded: data?.['record'] === true };
  } catch {
    return undefined;
  }
}

/** What a server that is busy or starting answers passes by itself, so it is nothing to tell. */
const refusalOf = (status: number, refusedAs: string | undefined): RefusedLink | undefined =>
  refusedAs !== undefined && (status === UNAUTHORIZED || status === FORBIDDEN) ? { refusedAs } : undefined;
