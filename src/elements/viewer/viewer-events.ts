import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';
import {
  StreamEndedEvent,
  StreamErrorEvent,
  StreamInterruptedEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  StreamWaitingEvent,
  StreamViewerCountEvent,
} from '../events.js';

/** The events of the tag for a phase change, in order. `stream-phase-change` precedes them. */
export function* viewerEvents(phase: ViewerPhase, previous: ViewerPhase, streamName: string): Iterable<Event> {
  const isNew = previous.name !== phase.name;
  switch (phase.name) {
    case 'live':
      if (isNew || (previous.name === 'live' && previous.interrupted !== phase.interrupted))
        yield phase.interrupted ? new StreamInterruptedEvent(streamName) : new StreamLiveEvent(streamName);
      if (phase.viewers !== undefined && (previous.name !== 'live' || previous.viewers !== phase.viewers))
        yield new StreamViewerCountEvent(phase.viewers);
      break;
    case 'ended':
      yield new StreamEndedEvent(streamName, phase.declared);
      // This and `error` are events of a video.
      yield new Event('ended');
      break;
    case 'waiting':
      if (isNew) yield new StreamWaitingEvent(streamName);
      break;
    case 'rejected':
      yield new StreamRejectedEvent(phase.reason, phase.message, phase.retryable);
      yield new Event('error');
      break;
    case 'reconnecting':
      yield new StreamErrorEvent(phase.error, phase.retryInMs);
      break;
    case 'failed':
      yield new StreamErrorEvent(phase.error);
      yield new Event('error');
  }
}
