import { html, nothing, type TemplateResult } from 'lit';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import type { CaptureController } from './capture-controller.js';
import { cover } from './permission-prompt.js';

/**
 * The preview, and what lies over it.
 *
 * @param intro in the place of a picture before there is any media
 * @param badges along the upper edge
 */
export function preview(
  words: BroadcasterMessages,
  capture: CaptureController,
  intro: TemplateResult,
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
      ${media ? (hasPicture ? nothing : cover(html`<span>${words.cameraOff}</span>`)) : intro}
      <div class="bar top">${badges}</div>
    </div>
  `;
}
