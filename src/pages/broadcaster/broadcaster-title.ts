import type { BroadcasterPhase } from '../../client/broadcaster/broadcaster-phase.js';
import type { CaptureError } from '../../client/broadcaster/capture.js';
import { errorMessage, type BroadcasterMessages } from '../../elements/i18n/messages.js';

/**
 * What the title of the page says of the broadcast: people have other tabs open while they are live.
 *
 * @param error why camera, microphone or screen could not be opened
 */
export function broadcasterTitle(
  phase: BroadcasterPhase,
  error: Pick<CaptureError, 'code'> | undefined,
  messages: BroadcasterMessages,
): string {
  const refused = (code: string): string => errorMessage(messages, code, '', messages.cannotBroadcast)[0];
  switch (phase.name) {
    case 'idle':
      return (error ? messages[error.code] : messages.ready)[0];
    case 'starting':
      return messages.loading;
    case 'live':
      return messages.live;
    case 'reconnecting':
      return messages.reconnecting;
    case 'rejected':
      return refused(phase.reason);
    case 'failed':
      return refused(phase.error.code);
  }
}
