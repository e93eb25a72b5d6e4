import { dateTimeText } from '../formatting.js';
import type { PageTexts } from '../page-context.js';
import type { SecurityMessages } from './messages/security-messages.js';

export type SecurityTexts = PageTexts<SecurityMessages>;

/** When and from where something was used last. */
export interface LastUse {
  readonly lastUsedOn: string | null;
  /** An address. Null: it is not known. */
  readonly lastUsedFrom: string | null;
}

export function lastUseText({ lastUsedOn, lastUsedFrom }: LastUse, { messages, language }: SecurityTexts): string {
  if (lastUsedOn === null) return messages.neverUsed;
  return messages.lastUsed(dateTimeText(lastUsedOn, language), lastUsedFrom ?? '?');
}

/** The same for what keeps no address of its use. */
export function lastTimeText(lastUsedOn: string | null, { messages, language }: SecurityTexts): string {
  return lastUsedOn === null ? messages.neverUsed : messages.lastUsedOn(dateTimeText(lastUsedOn, language));
}
