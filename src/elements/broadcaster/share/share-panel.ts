import { html, nothing, type TemplateResult } from 'lit';
import type { CopyController } from '../../copy-controller.js';
import { iframeMarkup } from '../../iframe-markup.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';

/**
 * A link for viewers and the code of a frame, as the page's owner gave the link: nothing is added to it.
 *
 * @param copying where it may not write to the clipboard, the text can be copied from its field by hand
 */
export function sharePanel(
  words: BroadcasterMessages,
  viewerUrl: string,
  copying: CopyController,
): TemplateResult | typeof nothing {
  const link = webAddress(viewerUrl);
  if (!link) return nothing;
  const field = (label: string, value: string): TemplateResult =>
    html`<label class="choice"
        >${label}<input readonly .value=${value} @focus=${({ target }: Event) => (target as HTMLInputElement).select()}
      /></label>
      <button part="button" class="text" aria-label="${words.copy}: ${label}" @click=${() => copying.copy(value)}>
        ${copying.copied === value ? words.copied : words.copy}
      </button>`;
  return html`<details part="share">
    <summary>${words.share}</summary>
    <div class="fields share">
      ${field(words.viewerLink, link)}${field(words.embedCode, iframeMarkup(link))}
      <slot name="share"></slot>
    </div>
    <span class="told" role="status">${copying.copied ? words.copied : nothing}</span>
  </details>`;
}

/** Undefined where it is none: a link that runs script is not for passing on. */
export function webAddress(url: string): string | undefined {
  if (!url || !URL.canParse(url, document.baseURI)) return undefined;
  const { protocol, href } = new URL(url, document.baseURI);
  return /^https?:$/.test(protocol) ? href : undefined;
}
