import { broadcasterLink } from '../../../src/wire/broadcaster-address.js';
import type { TokenLink } from '../../../src/wire/management/token-import.js';
import { viewerLink } from '../../../src/wire/viewer-address.js';
import type { TokenRecord } from '../token-record.js';

/** A token can have a thousand names, and a file a thousand tokens. */
const MOST_OF_TOKEN = 10;

/**
 * What to hand out of a token: a link for each of its first stream names. A token of patterns alone has one entry,
 * without a link.
 * @param origin of this server for clients
 */
export function tokenLinks({ id, label, kind, accountId, token, streams }: TokenRecord, origin: string): TokenLink[] {
  const names = streams.flatMap(({ streamName, isRegex }) => (isRegex ? [] : [streamName])).slice(0, MOST_OF_TOKEN);
  const linkOf = kind === 'publish' ? broadcasterLink : viewerLink;
  if (names.length === 0) return [{ id, label, streamName: null, link: null, token }];
  return names.map((streamName) => {
    const link = linkOf(origin, { accountId, streamName, token });
    return { id, label, streamName, link, token };
  });
}
