import type { CompiledToken } from './compiled-token.js';
import { streamMatcher } from './restrictions/stream-patterns.js';

/**
 * The most patterns of an account that are matched, because everybody can ask about any name. In an account with more of
 * them, each name that no token names exactly is protected.
 */
const MOST_PATTERNS = 32;

interface AccountNames {
  /** The publish tokens that name a stream exactly. */
  readonly exact: Map<string, Set<CompiledToken>>;
  /** Those with `subscribeRequiresAuth`, by pattern. */
  readonly patterns: Map<string, Set<CompiledToken>>;
}

/**
 * Whether viewers of a stream will need a token when it is live, from the publish tokens alone. So the answer to a viewer
 * without one does not tell whether the stream is live.
 */
export class ProtectedNames {
  readonly #byAccount = new Map<string, AccountNames>();

  add(token: CompiledToken): void {
    for (const tokens of this.#setsOf(token)) tokens.add(token);
  }

  remove(token: CompiledToken): void {
    const names = this.#byAccount.get(token.accountId);
    if (!names || token.kind !== 'publish') return;
    for (const { streamName, isRegex } of token.streams) {
      const sets = isRegex ? names.patterns : names.exact;
      const name = streamName.normalize('NFC');
      const tokens = sets.get(name);
      tokens?.delete(token);
      if (tokens?.size === 0) sets.delete(name);
    }
    if (names.exact.size === 0 && names.patterns.size === 0) this.#byAccount.delete(token.accountId);
  }

  /**
   * Tokens that name the stream exactly decide; without one, those with a pattern. Tokens that cannot publish now do not.
   * @param now milliseconds since 1970
   */
  has(accountId: string, streamName: string, now: number): boolean {
    const names = this.#byAccount.get(accountId);
    if (!names) return false;
    const canPublish = ({ isActive, expiresOn }: CompiledToken) => isActive && (expiresOn ?? Infinity) > now;
    const exact = [...(names.exact.get(streamName) ?? [])].filter(canPublish);
    if (exact.length > 0) return exact.some(({ subscribeRequiresAuth }) => subscribeRequiresAuth);
    if (names.patterns.size > MOST_PATTERNS) return true;
    return [...names.patterns].some(
      ([pattern, tokens]) =>
        [...tokens].some(canPublish) && streamMatcher([{ streamName: pattern, isRegex: true }])(streamName),
    );
  }

  #setsOf({ accountId, kind, streams, subscribeRequiresAuth }: CompiledToken): Set<CompiledToken>[] {
    if (kind !== 'publish') return [];
    const names = this.#byAccount.get(accountId) ?? { exact: new Map(), patterns: new Map() };
    const sets = streams.flatMap(({ streamName, isRegex }) => {
      if (isRegex && !subscribeRequiresAuth) return [];
      const ofKind = isRegex ? names.patterns : names.exact;
      const name = streamName.normalize('NFC');
      const tokens = ofKind.get(name) ?? new Set<CompiledToken>();
      ofKind.set(name, tokens);
      return [tokens];
    });
    if (sets.length > 0) this.#byAccount.set(accountId, names);
    return sets;
  }
}
