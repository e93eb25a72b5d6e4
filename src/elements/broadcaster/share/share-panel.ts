import { html, nothing, type TemplateResult } from 'lit';
import type { CopyController } from '../../copy-controller.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';

/**
 * The link for viewers and the markup of an iframe with it. Both contain the link exactly as the page has set it.
 *
 * @param copying copies a field. If the page may not write to the clipboard, people can copy the selected text.
 */
export function sharePanel(
  messages: BroadcasterMessages,
  viewerUrl: string,
  copying: CopyController,
): TemplateResult | typeof nothing {
  const link = webAddress(viewerUrl);
  if (!link) return nothing;
  const field = (label: string, value: string): TemplateResult =>
    html`<label class="choice"
        >${label}<input readonly .value=${value} @focus=${({ target }: Event) => (target as HTMLInputElement).select()}
      /></label>
      <button part="button" class="text" aria-label="${messages.copy}: ${label}" @click=${() => copying.copy(value)}>
        ${copying.copied === value ? messages.copied : messages.copy}
      </button>`;
  return html`<details part="share">
    <summary>${messages.share}</summary>
    <div class="fields share">
      ${field(messages.viewerLink, link)}${field(messages.embedCode, iframeMarkup(link))}
      <slot name="share"></slot>
    </div>
    <span class="visually-hidden" role="status">${copying.copied ? messages.copied : nothing}</span>
  </details>`;
}

/** The absolute URL. Undefined if it is not http or https: a link that runs a script must not be shared. */
export function webAddress(url: string): string | undefined {
  if (!url || !URL.canParse(url, document.baseURI)) return undefined;
  const { protocol, href } = new URL(url, document.baseURI);
  return /^https?:$/.test(protocol) ? href : undefined;
}

/**
 * The markup of an iframe with the page for viewers, as wide as what is around it. It allows what the player uses, and
 * nothing else. Sites that take the style away show the frame in its size.
 *
 * @param link as `URL` serializes it: quotes and angle brackets are percent-encoded, in the fragment too
 */
export function iframeMarkup(link: string): string {
  const address = link.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  return `<iframe src="${address}" title="Live video" allow="autoplay; fullscreen; picture-in-picture" width="640" height="360" style="width: 100%; height: auto; aspect-ratio: 16 / 9; border: 0"></iframe>`;
}
