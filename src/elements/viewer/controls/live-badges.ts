import { html, nothing, type TemplateResult } from 'lit';
import { eyeIcon } from '../../icons.js';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { ViewerMessages } from '../../i18n/messages.js';

/**
 * That it is live, how many watch, and how far behind this picture is.
 *
 * @param latency as it is written; empty: not known
 */
export function liveBadges(
  messages: MessagesController<ViewerMessages>,
  viewers: number | undefined,
  latency: string,
): TemplateResult {
  const said = messages.current;
  return html`
    <div class="bar top">
      <span part="badge" class="badge live" aria-hidden="true">${said.live}</span>
      ${viewers === undefined ? nothing : viewerCount(messages.number(viewers), (shown) => said.watching(viewers, shown))}
      ${latency ? html`<span part="latency" class="badge" title=${said.latency}>${latency}</span>` : nothing}
    </div>
  `;
}

const viewerCount = (shown: string, said: (shown: string) => string): TemplateResult =>
  html`<span part="viewers" class="badge" role="img" aria-label=${said(shown)}>${eyeIcon}<span>${shown}</span></span>`;
