import type { TokenBody } from '../../wire/management/token.js';

/** The first stream name of the token that is no pattern. */
export function exactName({ streams }: TokenBody): string | undefined {
  return streams.find(({ isRegex }) => !isRegex)?.streamName;
}

/** The title of a token in the list: its stream names and patterns. */
export function titleOf({ streams }: TokenBody): string {
  if (streams.length === 0) return 'Permits no stream';
  return streams.map(({ streamName, isRegex }) => (isRegex ? `names that match ${streamName}` : streamName)).join(', ');
}

export function stateOf({ isActive, expiresOn }: TokenBody, now: number): 'Active' | 'Disabled' | 'Expired' {
  if (expiresOn !== null && Date.parse(expiresOn) <= now) return 'Expired';
  return isActive ? 'Active' : 'Disabled';
}

/** An active token for this stream name, so that going live again creates no second one. */
export function usableFor(name: string, tokens: readonly TokenBody[], now: number): TokenBody | undefined {
  return tokens.find(
    (token) =>
      stateOf(token, now) === 'Active' &&
      token.streams.some(({ streamName, isRegex }) => !isRegex && streamName === name),
  );
}
