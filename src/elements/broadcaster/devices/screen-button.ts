import { html, nothing, type TemplateResult } from 'lit';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import type { CaptureController } from './capture-controller.js';
import { screenIcon } from './device-icons.js';

/** Shares a screen, and ends that. */
export function screenButton(
  words: BroadcasterMessages,
  capture: CaptureController,
  isGiven: boolean,
): TemplateResult | typeof nothing {
  // Phones have no screen to share.
  if (isGiven || !(navigator.mediaDevices as Partial<MediaDevices> | undefined)?.getDisplayMedia) return nothing;
  const { isSharing } = capture;
  return html`<button
    part="button"
    class="text screen"
    @click=${() => void (isSharing ? capture.stopScreen() : capture.shareScreen())}
  >
    ${screenIcon}${isSharing ? words.stopSharingScreen : words.shareScreen}
  </button>`;
}
