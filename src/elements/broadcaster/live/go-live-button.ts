import { html, nothing, type TemplateResult } from 'lit';
import { isOver, type BroadcasterPhase } from '../../../client/broadcaster/broadcaster-phase.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import { spinner } from '../../icons.js';

/**
 * The button that starts and stops the broadcast. It is one button, so that a person with a keyboard keeps the focus.
 *
 * @param goLive undefined if the broadcast cannot start
 * @param label what `goLive` does
 */
export function goLiveButton(
  messages: BroadcasterMessages,
  phase: BroadcasterPhase,
  goLive: (() => void) | undefined,
  label: string,
  stop: () => void,
): TemplateResult {
  const isOn = !isOver(phase);
  const isStarting = phase.name === 'starting';
  return html`<button
    part="button go-live"
    class="go ${isOn ? 'stop' : ''}"
    ?disabled=${!isOn && !goLive}
    @click=${isOn ? stop : goLive}
  >
    ${isStarting ? spinner : nothing}${isStarting ? messages.cancel : isOn ? messages.stop : label}
  </button>`;
}
