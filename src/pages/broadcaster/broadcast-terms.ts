import { text } from '../../client/unread.js';
import type { BroadcasterAddress } from '../address.js';

/** What applies to a broadcast, as the page needs it. */
export interface BroadcastTerms {
  readonly accountId: string;
  /** Whether viewers need a token. */
  readonly isPrivate: boolean;
  /** Whether it is recorded from its start. */
  readonly isRecorded: boolean;
}

/**
 * Asks the server before the broadcast begins. Undefined: it refuses the token, or it cannot be asked. The tag says why
 * when the person goes live.
 */
export async function fetchTerms(
  origin: string,
  { streamName, token }: BroadcasterAddress,
  send = fetch,
): Promise<BroadcastTerms | undefined> {
  try {
    // Without a header for it, so that no cookie or preflight plays a part.
    const body = JSON.stringify({ streamName, token });
    const response = await send(`${origin}/api/director/check`, { method: 'POST', credentials: 'omit', body });
    if (!response.ok) return undefined;
    const { data } = Object(await response.json()) as { data?: Readonly<Record<string, unknown>> };
    const accountId = text(data, 'streamAccountId');
    if (accountId === undefined) return undefined;
    return { accountId, isPrivate: data?.['subscribeRequiresAuth'] === true, isRecorded: data?.['record'] === true };
  } catch {
    return undefined;
  }
}
