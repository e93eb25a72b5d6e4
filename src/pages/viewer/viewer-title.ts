import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';
import { viewerStatus } from '../../elements/viewer/status/viewer-status.js';
import type { ViewerMessages } from '../../elements/i18n/messages.js';

const PLAYING = { missing: undefined, isPaused: false, hasPicture: true, isOnline: true, isBare: false };

/** What the title of the page says of the stream: whether it is live, waited for, or over. Empty: nothing yet. */
export function viewerTitle(phase: ViewerPhase, messages: ViewerMessages): string {
  if (phase.name === 'live' && !phase.interrupted) return messages.live;
  return viewerStatus(phase, PLAYING, messages).title ?? '';
}
