import type { RefusalReason } from '../client/errors.js';
import type { Sentence, SharedWords } from './words/words.js';

/** Asking again brings the same answer. Reasons that this client does not know may pass. */
const FINAL: ReadonlySet<RefusalReason> = new Set([
  'token_missing',
  'token_unknown',
  'token_wrong_kind',
  'token_expired',
  'stream_not_permitted',
  'origin_not_allowed',
  'address_not_allowed',
  'address_not_bound',
  'no_common_codec',
]);

export function worthRetrying(reason: RefusalReason): boolean {
  return !FINAL.has(reason);
}

/**
 * What a refusal or a failure means to the person in front of it.
 *
 * @param word its `reason` or `code`
 * @param message what is shown for a word that has no sentence: the service's own
 */
export function sentenceFor(words: SharedWords, word: string, message: string): Sentence {
  const sentence = Object.hasOwn(words, word) ? words[word as keyof SharedWords] : undefined;
  return typeof sentence === 'object' ? sentence : [words.refused, message];
}
