import { html, nothing, type TemplateResult } from 'lit';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { ViewerMessages } from '../../i18n/messages.js';
import { eyeIcon } from '../../icons.js';

/** The live badge, and the number of viewers. */
export function liveBadges(messages: MessagesController<ViewerMessages>, viewers: number | undefined): TemplateResult {
  const { current } = messages;
  const count = viewers === undefined ? '' : messages.number(viewers);
  return html`
    <div class="bar top">
      <span part="live-badge" class="badge live" aria-hidden="true">${current.live}</span>
      ${
        viewers === undefined
          ? nothing
          : html`<span part="viewer-count" class="badge" role="img" aria-label=${current.watching(viewers, count)}
              >${eyeIcon}<span>${count}</span></span
            >`
      }
    </div>
  `;
}
