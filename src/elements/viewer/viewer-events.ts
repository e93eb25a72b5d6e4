import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';
import {
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  StreamWaitingEvent,
  StreamViewerCountEvent,
} from '../events.js';

/** What the page is told of the step from one phase to the next, in this order. */
export function* viewerEvents(phase: ViewerPhase, before: ViewerPhase, streamName: string): Iterable<Event> {
  if (phase.name === 'live') {
    if (before.name !== 'live') yield new StreamLiveEvent(streamName);
    const isOther = before.name !== 'live' || before.viewers !== phase.viewers;
    if (isOther && phase.viewers !== undefined) yield new StreamViewerCountEvent(phase.viewers);
  }
  if (phase.name === 'ended') yield new StreamEndedEvent(streamName);
  if (phase.name === 'waiting') yield new StreamWaitingEvent(streamName);
  if (phase.name === 'rejected') yield new StreamRejectedEvent(phase.reason, phase.message, phase.retryable);
  if (phase.name === 'reconnecting') yield new StreamErrorEvent(phase.error, phase.retryInMs);
  if (phase.name === 'failed') yield new StreamErrorEvent(phase.error);
}
