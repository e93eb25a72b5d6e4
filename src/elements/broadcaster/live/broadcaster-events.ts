import { liveBroadcast, type BroadcasterPhase } from '../../../client/broadcaster/broadcaster-phase.js';
import {
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  StreamViewerCountEvent,
} from '../../events.js';

/** The events of the tag for a phase change, in order. `stream-phase-change` precedes them. */
export function* broadcasterEvents(phase: BroadcasterPhase, before: BroadcasterPhase): Iterable<Event> {
  const was = liveBroadcast(before);
  if (was && !liveBroadcast(phase)) yield new StreamEndedEvent(was.streamName, phase.name === 'idle');
  if (phase.name === 'live') {
    if (before.name !== 'live') yield new StreamLiveEvent(phase.streamName);
    if (before.name !== 'live' || before.viewers !== phase.viewers) yield new StreamViewerCountEvent(phase.viewers);
  }
  if (phase.name === 'rejected') yield new StreamRejectedEvent(phase.reason, phase.message, phase.retryable);
  if (phase.name === 'reconnecting') yield new StreamErrorEvent(phase.error, phase.retryInMs);
  if (phase.name === 'failed') yield new StreamErrorEvent(phase.error);
}
