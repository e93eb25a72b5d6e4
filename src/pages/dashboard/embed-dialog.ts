import { html, nothing, type TemplateResult } from 'lit';
import type { ViewerAddress } from '../address.js';
import '../copy-field.js';
import { iframeCode, tagCode } from '../embed-code.js';
import type { PinnedFile } from '../pinned-file.js';

export interface Embedded {
  readonly stream: ViewerAddress;
  /** Whether viewers need a token. */
  readonly isPrivate: boolean;
  readonly pinned: PinnedFile | undefined;
}

/** The code for a website, to copy. It contains no token, because every visitor of the site could read it. */
export function embedDialog(origin: string, { stream, isPrivate, pinned }: Embedded): TemplateResult {
  return html`
    <h2 id="dialog">Embed ${stream.streamName}</h2>
    ${
      isPrivate
        ? html`<p class="soft">
            Viewers need a token. Let your server add one for each visitor when it renders the page.
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
              The pinned tag loads exactly this version of the player. The browser compares its hash. Copy the tag again
              after each upgrade of the server.
            </p>
          `
        : nothing
    }
    <div class="actions">
      <form method="dialog"><button class="primary">Done</button></form>
    </div>
  `;
}
