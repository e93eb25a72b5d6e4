import { html, nothing, type TemplateResult } from 'lit';
import { liveBroadcast, type BroadcasterPhase } from '../../../client/broadcaster/broadcaster-phase.js';
import type { BroadcasterRecording } from '../../../client/broadcaster/broadcaster-recording.js';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import { eyeIcon, spinner } from '../../icons.js';

/** The live badge, the recording badge, the timer and the viewer count. */
export function liveStatus(
  messages: MessagesController<BroadcasterMessages>,
  phase: BroadcasterPhase,
  recording: BroadcasterRecording,
): TemplateResult {
  const { current } = messages;
  const broadcast = liveBroadcast(phase);
  const isLive = phase.name === 'live';
  return html`
    <span role="status"
      >${isLive ? html`<span part="live-badge" class="badge live">${current.live}</span>` : nothing}${
        phase.name === 'reconnecting' ? html`<span class="badge">${spinner}${current.reconnecting}</span>` : nothing
      }${isLive && recording.name === 'on' ? html`<span part="recording-badge" class="badge rec">REC</span>` : nothing}</span
    >
    ${
      broadcast
        ? html`<span part="timer" class="badge" role="timer" aria-label=${current.timeLive}
            >${clockTime(Date.now() - broadcast.since)}</span
          >`
        : nothing
    }
    ${isLive ? viewerCount(messages, phase.viewers) : nothing}
  `;
}

function viewerCount(messages: MessagesController<BroadcasterMessages>, count: number): TemplateResult {
  const shown = messages.number(count);
  return html`<span part="viewer-count" class="badge"
    >${eyeIcon}<span aria-hidden="true">${shown}</span
    ><span class="visually-hidden">${messages.current.watching(count, shown)}</span></span
  >`;
}

/** `0:07`, `12:34`, `1:02:03`. */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds)}` : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`;
}
