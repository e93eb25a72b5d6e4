import type { Sentence, SharedWords } from './words/words.js';

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
