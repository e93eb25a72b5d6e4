import type { TitledMessage, SharedMessages } from './messages.js';

/**
 * What a refusal or a failure means to the person in front of it.
 *
 * @param word its `reason` or `code`
 * @param message what is shown for a word that has no sentence: the service's own
 */
export function errorMessage(words: SharedMessages, word: string, message: string): TitledMessage {
  const sentence = Object.hasOwn(words, word) ? words[word as keyof SharedMessages] : undefined;
  return typeof sentence === 'object' ? sentence : [words.refused, message];
}
