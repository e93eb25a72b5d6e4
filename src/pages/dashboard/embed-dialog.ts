import { html, nothing, type TemplateResult } from 'lit';
import type { ViewerAddress } from '../address.js';
import '../copy-field.js';
import { iframeCode, tagCode } from '../embed-code.js';
import type { PinnedFile } from '../pinned-file.js';

export interface Embedded {
  readonly stream: ViewerAddress;
  /** Whether its viewers need a token. */
  readonly isPrivate: boolean;
  readonly pinned: PinnedFile | undefined;
}

/** What goes into a website, to copy. None of it holds a token: it would be everybody's who can open that site. */
export function embedDialog(origin: string, { stream, isPrivate, pinned }: Embedded): TemplateResult {
  return html`
    <h2 id="dialog">Embed ${stream.streamName}</h2>
    ${
      isPrivate
        ? html`<p class="soft">
            Viewers need a token. Give each visitor one of their own when your server writes the page.
          </p>`
        : nothing
    }
    <copy-field label="Tag for a website" .value=${tagCode(origin, stream)}></copy-field>
    <copy-field label="Frame for a website" .value=${iframeCode(origin, stream)}></copy-field>
    ${
      pinned
        ? html`
            <copy-field label="Pinned tag" .value=${tagCode(origin, stream, pinned)}></copy-field>
            <p class="soft">
              The pinned tag runs this version of the player and no other, held to its hash. Copy it anew whenever the
              server is upgraded.
            </p>
          `
        : nothing
    }
    <div class="actions">
      <form method="dialog"><button class="primary">Done</button></form>
    </div>
  `;
}
