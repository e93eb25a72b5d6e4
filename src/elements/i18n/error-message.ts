import type { TitledMessage, SharedMessages } from './messages.js';

/**
 * What a refusal or a failure means to the person in front of it.
 *
 * @param word its `reason` or `code`
 * @param message what is shown for a word that has no sentence: the service's own
 */
export function errorMessage(messages: SharedMessages, word: string, message: string): TitledMessage {
  const sentence = Object.hasOwn(messages, word) ? messages[word as keyof SharedMessages] : undefined;
  return typeof sentence === 'object' ? sentence : [messages.refused, message];
}
