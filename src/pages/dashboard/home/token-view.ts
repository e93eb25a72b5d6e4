import type { TokenBody } from '../../../wire/management/token.js';
import type { DashboardMessages } from '../messages/dashboard-messages.js';

/** The first stream name of the token that is no pattern. */
export function exactName({ streams }: TokenBody): string | undefined {
  return streams.find(({ isRegex }) => !isRegex)?.streamName;
}

/** The title of a token in the list: its stream names and patterns. */
export function titleOf({ id, streams, fault }: TokenBody, messages: DashboardMessages): string {
  if (fault) return `#${id}`;
  if (streams.length === 0) return messages.permitsNone;
  return streams.map(({ streamName, isRegex }) => (isRegex ? messages.matching(streamName) : streamName)).join(', ');
}

export function stateOf(
  { isActive, expiresOn, fault }: TokenBody,
  now: number,
): 'active' | 'disabled' | 'expired' | 'unreadable' {
  if (fault) return 'unreadable';
  if (!isActive) return 'disabled';
  return expiresOn !== null && Date.parse(expiresOn) <= now ? 'expired' : 'active';
}

/** An active token for this stream name, so that going live again creates no second one. */
export function usableFor(name: string, tokens: readonly TokenBody[], now: number): TokenBody | undefined {
  return tokens.find(
    (token) =>
      stateOf(token, now) === 'active' &&
      token.streams.some(({ streamName, isRegex }) => !isRegex && streamName === name),
  );
}
