import type { TemplateResult } from 'lit';
import type { BroadcasterPhase } from '../../client/broadcaster/broadcaster-phase.js';
import type { BroadcasterRecording } from '../../client/broadcaster/broadcaster-recording.js';
import type { TrackKind } from '../../client/viewer/sources.js';
import { type BroadcasterMessages, errorMessage, type TitledMessage } from '../i18n/messages.js';
import type { Capture } from './devices/capture.js';
import { notice } from './devices/permission-prompt.js';

/** Messages about problems. If the broadcast was refused or failed, only that is shown. */
export function notices(
  messages: BroadcasterMessages,
  phase: BroadcasterPhase,
  recording: BroadcasterRecording,
  capture: Capture,
  isSilent: boolean,
  isReady: boolean,
): readonly TemplateResult[] {
  if (phase.name === 'rejected')
    return [notice(errorMessage(messages, phase.reason, phase.message, messages.cannotBroadcast))];
  if (phase.name === 'failed')
    return [notice(errorMessage(messages, phase.error.code, phase.error.message, messages.cannotBroadcast))];
  const { error } = capture;
  const lost = (kind: TrackKind, message: TitledMessage): TitledMessage | undefined => {
    const reason = capture.loss(kind);
    return reason === 'lost' ? message : reason && messages[reason];
  };
  const all = [
    error ? messages[error.code] : lost('video', messages.cameraLost),
    error ? undefined : lost('audio', messages.microphoneLost),
    capture.loss('screen') && ([messages.screenEnded, ''] as const),
    isSilent && ([messages.noSound, ''] as const),
    !isReady && messages.notReady,
    ...(recording.name === 'unavailable'
      ? []
      : [recording.fault && messages.recordingFailed, !recording.canRewind && messages.notRewindable]),
  ];
  return all.flatMap((one) => (one ? [notice(one)] : []));
}
