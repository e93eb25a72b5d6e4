import { onAir, type BroadcasterPhase } from '../../client/broadcaster-phase.js';
import {
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  ViewerCountEvent,
} from '../events.js';

/** What the page is told of the step from one phase to the next, in this order. */
export function broadcasterEvents(phase: BroadcasterPhase, before: BroadcasterPhase): readonly Event[] {
  const was = onAir(before);
  const ended = was && !onAir(phase) ? [new StreamEndedEvent(was.streamName)] : [];
  switch (phase.name) {
    case 'live':
      return [
        ...(before.name === 'live' ? [] : [new StreamLiveEvent(phase.streamName)]),
        ...(before.name === 'live' && before.viewers === phase.viewers ? [] : [new ViewerCountEvent(phase.viewers)]),
      ];
    case 'rejected':
      return [...ended, new StreamRejectedEvent(phase.reason, phase.message)];
    case 'failed':
      return [...ended, new StreamErrorEvent(phase.error)];
    case 'reconnecting':
      return [new StreamErrorEvent(phase.error)];
    default:
      return ended;
  }
}
