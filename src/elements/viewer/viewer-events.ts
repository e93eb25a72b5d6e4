import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';
import {
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  StreamWaitingEvent,
  StreamViewerCountEvent,
} from '../events.js';

/** The events of the tag for a phase change, in order. `stream-phase-change` precedes them. */
export function* viewerEvents(phase: ViewerPhase, previous: ViewerPhase, streamName: string): Iterable<Event> {
  const { name } = phase;
  if (name === 'live') {
    const isNew = previous.name !== 'live';
    if (isNew) yield new StreamLiveEvent(streamName);
    const isOtherCount = isNew || previous.viewers !== phase.viewers;
    if (isOtherCount && phase.viewers !== undefined) yield new StreamViewerCountEvent(phase.viewers);
  }
  if (name === 'ended') yield new StreamEndedEvent(streamName);
  if (name === 'waiting') yield new StreamWaitingEvent(streamName);
  if (name === 'rejected') yield new StreamRejectedEvent(phase.reason, phase.message, phase.retryable);
  if (name === 'reconnecting') yield new StreamErrorEvent(phase.error, phase.retryInMs);
  if (name === 'failed') yield new StreamErrorEvent(phase.error);
  // The events of a video.
  if (name === 'ended') yield new Event('ended');
  if (name === 'rejected' || name === 'failed') yield new Event('error');
}
