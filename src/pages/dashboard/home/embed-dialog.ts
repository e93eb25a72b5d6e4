import { html, nothing, type TemplateResult } from 'lit';
import type { ViewerPlace } from '../../address.js';
import '../../copy-field.js';
import { iframeCode, tagCode } from '../../embed-code.js';
import type { PinnedFile } from '../../pinned-file.js';
import { doneButton } from '../dialog-contents.js';
import type { DashboardMessages } from '../messages/dashboard-messages.js';

export interface Embedded {
  readonly stream: ViewerPlace;
  /** Whether viewers need a token: the code then has `TOKEN_PLACE` for it. */
  readonly isPrivate: boolean;
  readonly pinned: PinnedFile | undefined;
}

/** The code for a website, to copy. It contains no real token, because every visitor of the site could read it. */
export function embedDialog(
  origin: string,
  { stream, isPrivate, pinned }: Embedded,
  messages: DashboardMessages,
): TemplateResult {
  return html`
    <h2 id="dialog" dir="auto">${messages.embedThis(stream.streamName)}</h2>
    ${isPrivate ? html`<p class="soft">${messages.privateEmbed}</p>` : nothing}
    <copy-field .messages=${messages.copy} .label=${messages.tag} .value=${tagCode(origin, stream)}></copy-field>
    <copy-field .messages=${messages.copy} .label=${messages.iframe} .value=${iframeCode(origin, stream)}></copy-field>
    ${
      pinned
        ? html`
            <copy-field
              .messages=${messages.copy}
              .label=${messages.pinnedTag}
              .value=${tagCode(origin, stream, pinned)}
            ></copy-field>
            <p class="soft">${messages.pinnedEffect}</p>
          `
        : nothing
    }
    ${doneButton(messages)}
  `;
}
