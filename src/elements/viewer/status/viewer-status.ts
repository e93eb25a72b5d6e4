import { RejectedError } from '../../../client/errors.js';
import type { ViewerPhase } from '../../../client/viewer/viewer-phase.js';
import { errorMessage, type TitledMessage, type ViewerMessages } from '../../i18n/messages.js';

/** The status of the stream, shown over the picture or in its place. */
export interface Status {
  /**
   * `cover` hides the picture. `clear` lies over the picture. `notice` is at the top of the picture. `visually-hidden`
   * is only announced to screen readers.
   */
  readonly variant: 'cover' | 'clear' | 'notice' | 'visually-hidden';
  readonly title?: string;
  readonly detail?: string;
  readonly isBusy?: boolean;
  /** Whether there is a button to try again. */
  readonly canRetry?: boolean;
  /** The slot in which the page can replace the status. */
  readonly slot?: string;
}

export interface StatusContext {
  /** The message about an option that the page has not set. Without the option, nothing can be requested. */
  readonly missing: TitledMessage | undefined;
  readonly isPaused: boolean;
  /** Whether a picture has arrived. */
  readonly hasPicture: boolean;
  readonly isOnline: boolean;
  /** Whether there is neither video nor a poster. */
  readonly isBare: boolean;
}

export function viewerStatus(
  phase: ViewerPhase,
  { missing, isPaused, hasPicture, isOnline, isBare }: StatusContext,
  messages: ViewerMessages,
): Status {
  const cover = ([title, detail]: TitledMessage) => ({ variant: 'cover' as const, title, detail });
  const message = (code: string, sentence: string) => errorMessage(messages, code, sentence, messages.cannotWatch);
  switch (phase.name) {
    case 'idle':
      return missing ? cover(missing) : { variant: 'visually-hidden' };
    case 'authorizing':
    case 'connecting':
      return { variant: 'clear', title: messages.loading, isBusy: true };
    case 'waiting':
      return { ...cover(messages.waiting), slot: 'waiting' };
    case 'ended':
      return { ...cover(phase.declared ? messages.over : messages.ended), slot: 'ended' };
    case 'rejected':
      return { ...cover(message(phase.reason, phase.message)), canRetry: phase.retryable, slot: phase.name };
    case 'failed':
      return { ...cover(message(phase.error.code, phase.error.message)), canRetry: true, slot: phase.name };
    case 'reconnecting': {
      const { error } = phase;
      const code = error instanceof RejectedError ? error.reason : error.code;
      const cause = isOnline ? message(code, error.message) : messages.offline;
      return {
        ...(hasPicture ? { variant: 'notice', title: isOnline ? messages.reconnecting : cause[0] } : cover(cause)),
        isBusy: true,
        slot: phase.name,
      };
    }
    case 'live':
      if (phase.interrupted)
        return { variant: hasPicture ? 'notice' : 'cover', title: messages.interrupted, isBusy: true };
      if (isPaused) return { variant: 'visually-hidden', title: messages.paused };
      if (phase.videoPaused) return { variant: 'notice', title: messages.videoPaused };
      if (isBare) return { variant: 'clear', title: messages.live, slot: 'audio' };
      return { variant: hasPicture ? 'visually-hidden' : 'clear', title: messages.live, isBusy: !hasPicture };
  }
}
