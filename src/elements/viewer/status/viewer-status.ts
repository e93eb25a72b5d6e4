import { RejectedError } from '../../../client/errors.js';
import type { ViewerPhase } from '../../../client/viewer/viewer-phase.js';
import { errorMessage } from '../../i18n/error-message.js';
import type { TitledMessage, ViewerMessages } from '../../i18n/messages.js';

/** What is said about the picture, or in its place. */
export interface Status {
  /** `cover` hides what is left of a picture; `clear` lies over one; `notice` stands at its edge; `told` is heard only. */
  readonly look: 'cover' | 'clear' | 'notice' | 'told';
  readonly title?: string;
  readonly next?: string;
  readonly isBusy?: boolean;
  /** Whether to offer another try. */
  readonly canRetry?: boolean;
  /** Where the page can say it in words of its own. */
  readonly slot?: string;
}

/** What the phase alone does not tell. */
export interface StatusContext {
  /** What the page has left out, so that there is nothing to ask for. */
  readonly missing: TitledMessage | undefined;
  readonly isPaused: boolean;
  /** Whether a picture came by now. */
  readonly hasPicture: boolean;
  readonly isOnline: boolean;
}

export function viewerStatus(
  phase: ViewerPhase,
  { missing, isPaused, hasPicture, isOnline }: StatusContext,
  messages: ViewerMessages,
): Status {
  const said = ([title, next]: TitledMessage) => ({ look: 'cover' as const, title, next });
  switch (phase.name) {
    case 'idle':
      return missing ? said(missing) : { look: 'told' };
    case 'authorizing':
    case 'connecting':
      return { look: 'clear', title: messages.loading, isBusy: true };
    case 'waiting':
    case 'ended':
      return { ...said(messages[phase.name]), slot: phase.name };
    case 'rejected':
      return {
        ...said(errorMessage(messages, phase.reason, phase.message)),
        canRetry: phase.retryable,
        slot: 'rejected',
      };
    case 'failed':
      return { ...said(errorMessage(messages, phase.error.code, phase.error.message)), canRetry: true, slot: 'failed' };
    case 'reconnecting': {
      const { error } = phase;
      const word = error instanceof RejectedError ? error.reason : error.code;
      const why = isOnline ? errorMessage(messages, word, error.message) : messages.offline;
      return {
        ...(hasPicture ? { look: 'notice', title: isOnline ? messages.reconnecting : why[0] } : said(why)),
        isBusy: true,
        slot: 'reconnecting',
      };
    }
    case 'live':
      if (isPaused) return { look: 'told', title: messages.paused };
      return hasPicture
        ? { look: 'told', title: messages.live }
        : { look: 'clear', title: messages.live, isBusy: true };
  }
}
