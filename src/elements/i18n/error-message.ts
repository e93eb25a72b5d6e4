import type { SharedMessages, TitledMessage } from './messages.js';

/**
 * The message for a refusal or a failure.
 *
 * @param title shown with the sentence of the server, for a code without a message
 */
export function errorMessage(messages: SharedMessages, code: string, sentence: string, title: string): TitledMessage {
  const message = Object.hasOwn(messages, code) ? messages[code as keyof SharedMessages] : undefined;
  return typeof message === 'object' ? message : [title, sentence];
}
