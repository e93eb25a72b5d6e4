import { html, nothing, type TemplateResult } from 'lit';
import type { BroadcasterPhase } from '../../../client/broadcaster/broadcaster-phase.js';
import { eyeIcon, spinner } from '../../icons.js';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';

/** That it is live, for how long, and how many watch. */
export function liveStatus(words: MessagesController<BroadcasterMessages>, phase: BroadcasterPhase): TemplateResult {
  const said = words.current;
  const air = phase.name === 'live' ? phase : phase.name === 'reconnecting' ? phase.broadcast : undefined;
  const isLive = phase.name === 'live';
  return html`
    <span role="status"
      >${isLive ? html`<span part="badge" class="badge live">${said.live}</span>` : nothing}${
        phase.name === 'reconnecting' ? html`<span class="badge">${spinner}${said.reconnecting}</span>` : nothing
      }</span
    >
    ${
      air
        ? html`<span class="badge" role="timer" aria-label=${said.timeLive}>${clockTime(Date.now() - air.since)}</span>`
        : nothing
    }
    ${isLive ? audience(words, phase.viewers) : nothing}
  `;
}

function audience(words: MessagesController<BroadcasterMessages>, count: number): TemplateResult {
  const shown = words.number(count);
  return html`<span part="viewers" class="badge"
    >${eyeIcon}<span aria-hidden="true">${shown}</span
    ><span class="told">${words.current.watching(count, shown)}</span></span
  >`;
}

/** `0:07`, `12:34`, `1:02:03`. */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds)}` : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`;
}
