import { html, type TemplateResult } from 'lit';
import { viewerLink } from '../address.js';
import '../copy-field.js';
import { iframeCode, tagCode } from '../embed-code.js';
import { viewerLinkPath } from '../viewer-link-path.js';
import type { BroadcastTerms } from './broadcast-terms.js';
import type { BroadcasterPageMessages } from './messages/broadcaster-page-messages.js';

/** How viewers reach the stream. A private stream has no link that everybody could use: the dashboard makes each. */
export function shareCard(
  streamName: string,
  { accountId, isPrivate, isRecorded: dvr }: BroadcastTerms,
  messages: BroadcasterPageMessages,
): TemplateResult {
  return html`
    <section class="card" aria-labelledby="share">
      <h2 id="share">${messages.share}</h2>
      ${isPrivate ? privateStream(streamName, messages) : links({ accountId, streamName, token: '', dvr }, messages)}
    </section>
  `;
}

function links(stream: Parameters<typeof viewerLink>[1], messages: BroadcasterPageMessages): TemplateResult {
  const { origin } = location;
  const field = (label: string, value: string) =>
    html`<copy-field .messages=${messages.copy} .label=${label} .value=${value}></copy-field>`;
  return html`
    ${field(messages.viewerLink, viewerLink(origin, stream))} ${field(messages.iframe, iframeCode(origin, stream))}
    ${field(messages.tag, tagCode(origin, stream))}
  `;
}

/** In a tab of its own: whoever leaves this page stops the broadcast. */
function privateStream(streamName: string, messages: BroadcasterPageMessages): TemplateResult {
  return html`
    <p>${messages.privateStream}</p>
    <p><a class="button" href=${viewerLinkPath(streamName)} target="_blank">${messages.createViewerLink}</a></p>
    <p class="soft">${messages.askForLinks}</p>
  `;
}
