import type { StreamBroadcasterElement } from '../../elements/broadcaster/stream-broadcaster-element.js';
import { errorMessage, type BroadcasterMessages } from '../../elements/i18n/messages.js';

/** What the title depends on. */
export type TitledBroadcaster = Pick<
  StreamBroadcasterElement,
  'phase' | 'captureError' | 'cameraState' | 'microphoneState' | 'screenSharing'
>;

/**
 * What the title of the page says of the broadcast: people have other tabs open while they are live.
 * @param refusedAs why nobody can go live with the link
 */
export function broadcasterTitle(
  { phase, captureError, cameraState, microphoneState, screenSharing }: TitledBroadcaster,
  messages: BroadcasterMessages,
  refusedAs?: string,
): string {
  const refused = (code: string): string => errorMessage(messages, code, '', messages.cannotBroadcast)[0];
  switch (phase.name) {
    case 'idle':
      if (refusedAs !== undefined) return refused(refusedAs);
      return (captureError ? messages[captureError.code] : messages.ready)[0];
    case 'starting':
      return messages.loading;
    case 'live':
      if (cameraState === 'lost' && !screenSharing) return messages.cameraLost[0];
      return microphoneState === 'lost' ? messages.microphoneLost[0] : messages.live;
    case 'reconnecting':
      return messages.reconnecting;
    case 'rejected':
      return refused(phase.reason);
    case 'failed':
      return refused(phase.error.code);
  }
}
