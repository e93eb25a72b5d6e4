import type { TokenBody } from '../../../src/wire/management/token.js';

/** A token as `token list` shows it, with tabs between. */
export function tokenLine(token: TokenBody, now: number): string {
  const { id, label, streams } = token;
  const names = streams.map(({ streamName, isRegex }) => (isRegex ? `/${streamName}/` : streamName)).join(', ');
  return [id, stateOf(token, now), label || '-', names || '(no stream)'].join('\t');
}

/** The first thing that the rules would refuse it for. */
function stateOf({ isActive, expiresOn }: TokenBody, now: number): string {
  if (!isActive) return 'disabled';
  return expiresOn !== null && Date.parse(expiresOn) <= now ? `expired ${expiresOn}` : 'active';
}
