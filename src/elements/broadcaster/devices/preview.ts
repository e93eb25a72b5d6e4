import { html, nothing, type TemplateResult } from 'lit';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import type { Capture } from './capture.js';
import { cover } from './permission-prompt.js';

/**
 * The preview: the picture that is sent.
 *
 * @param prompt shown until there is any media
 * @param badges shown at the top of the picture
 */
export function preview(
  messages: BroadcasterMessages,
  capture: Capture,
  prompt: TemplateResult,
  badges: TemplateResult,
): TemplateResult {
  const { media, isMirror } = capture;
  const picture = capture.track('video');
  const hasPicture = picture?.readyState === 'live' && picture.enabled;
  return html`
    <div class="stage">
      <video
        part="video"
        class="${isMirror ? 'mirrored' : ''} ${hasPicture ? '' : 'off'}"
        autoplay
        playsinline
        muted
        .muted=${true}
      ></video>
      ${media ? (hasPicture ? nothing : cover(html`<span>${noPicture(messages, capture)}</span>`)) : prompt}
      <div class="bar top">${badges}</div>
    </div>
  `;
}

/** Why there is no picture. */
const noPicture = (messages: BroadcasterMessages, capture: Capture): string =>
  capture.device('video')
    ? messages.cameraOff
    : capture.loss('video')
      ? messages.cameraLost[0]
      : capture.loss('screen')
        ? messages.screenEnded
        : messages.soundOnly;

/**
 * Sets the media of a video if it differs. It is no binding of the template: Lit would set it at every render, and a
 * video starts again even when the same stream is set.
 */
export function setSourceObject(video: HTMLVideoElement, media: MediaStream | null = null): void {
  if (video.srcObject !== media) video.srcObject = media;
}
