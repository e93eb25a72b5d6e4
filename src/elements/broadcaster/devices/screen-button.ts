import { html, nothing, type TemplateResult } from 'lit';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import { icon } from '../../icons.js';
import type { Capture } from './capture.js';

const screenIcon = icon('M3 4h18v12H3zM8 20h8M9 10l3-3 3 3M12 7v6');

/** The button that starts and stops sharing a screen. */
export function screenButton(
  messages: BroadcasterMessages,
  capture: Capture,
  isGiven: boolean,
): TemplateResult | typeof nothing {
  // Browsers on phones cannot share a screen.
  if (isGiven || !(navigator.mediaDevices as Partial<MediaDevices> | undefined)?.getDisplayMedia) return nothing;
  const { isSharing } = capture;
  return html`<button
    part="button"
    class="text screen"
    @click=${() => void (isSharing ? capture.stopScreen() : capture.shareScreen())}
  >
    ${screenIcon}${isSharing ? messages.stopSharingScreen : messages.shareScreen}
  </button>`;
}
