import type { TokenBody } from '../../wire/management/token.js';

/** The first name that the token is for as it stands; patterns name no stream of their own. */
export function exactName({ streams }: TokenBody): string | undefined {
  return streams.find(({ isRegex }) => !isRegex)?.streamName;
}

/** What a list says about the names of a token. */
export function titleOf({ streams }: TokenBody): string {
  if (streams.length === 0) return 'Permits no stream';
  return streams.map(({ streamName, isRegex }) => (isRegex ? `every name like ${streamName}` : streamName)).join(', ');
}

export function stateOf({ isActive, expiresOn }: TokenBody, now: number): 'Active' | 'Disabled' | 'Expired' {
  if (expiresOn !== null && Date.parse(expiresOn) <= now) return 'Expired';
  return isActive ? 'Active' : 'Disabled';
}

/** A token that goes live under this name now, so that pressing the button every day does not make one every day. */
export function usableFor(name: string, tokens: readonly TokenBody[], now: number): TokenBody | undefined {
  return tokens.find(
    (token) =>
      stateOf(token, now) === 'Active' &&
      token.streams.some(({ streamName, isRegex }) => !isRegex && streamName === name),
  );
}
