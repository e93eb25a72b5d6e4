import { html, nothing, type TemplateResult } from 'lit';
import { isOver, type BroadcasterPhase } from '../../../client/broadcaster/broadcaster-phase.js';
import { spinner } from '../../icons.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';

/**
 * Goes live, and stops: one button, so that whoever pressed it by key can take it back by key.
 *
 * @param goLive undefined: something is missing for it
 */
export function goLiveButton(
  words: BroadcasterMessages,
  phase: BroadcasterPhase,
  goLive: (() => void) | undefined,
  stop: () => void,
): TemplateResult {
  const isOn = !isOver(phase);
  const isStarting = phase.name === 'starting';
  return html`<button
    part="button go"
    class="go ${isOn ? 'stop' : ''}"
    ?disabled=${!isOn && !goLive}
    @click=${isOn ? stop : goLive}
  >
    ${isStarting ? spinner : nothing}${isStarting ? words.cancel : isOn ? words.stop : words.goLive}
  </button>`;
}
