import { html, type TemplateResult } from 'lit';
import type { BroadcasterPhase } from '../../../client/broadcaster/broadcaster-phase.js';
import type { TrackKind } from '../../../client/viewer/sources.js';
import { errorMessage } from '../../i18n/error-message.js';
import type { BroadcasterMessages, TitledMessage } from '../../i18n/messages.js';
import type { CaptureController } from '../devices/capture-controller.js';

/** What is wrong, and what can be done. A broadcast that was refused or given up comes before all else. */
export function notices(
  words: BroadcasterMessages,
  phase: BroadcasterPhase,
  capture: CaptureController,
  isSilent: boolean,
  isReady: boolean,
): readonly TemplateResult[] {
  if (phase.name === 'rejected')
    return [notice(errorMessage(words, phase.reason, phase.message, words.cannotBroadcast))];
  if (phase.name === 'failed')
    return [notice(errorMessage(words, phase.error.code, phase.error.message, words.cannotBroadcast))];
  const { error, screenEnded } = capture;
  const lost = (kind: TrackKind, sentence: TitledMessage): TitledMessage | undefined => {
    const loss = capture.loss(kind);
    return loss === 'lost' ? sentence : loss && words[loss];
  };
  const all = [
    error ? words[error.code] : lost('video', words.cameraLost),
    error ? undefined : lost('audio', words.microphoneLost),
    screenEnded && ([words.screenEnded, ''] as const),
    isSilent && ([words.noSound, ''] as const),
    !isReady && words.notReady,
  ];
  return all.flatMap((one) => (one ? [notice(one)] : []));
}

export const notice = ([title, next]: TitledMessage): TemplateResult =>
  html`<p class="notice" role="alert"><b>${title}</b> ${next}</p>`;
