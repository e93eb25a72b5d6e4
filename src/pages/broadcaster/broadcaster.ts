import { html, nothing, render, type TemplateResult } from 'lit';
import { Broadcaster } from '../../client/broadcaster/broadcaster.js';
import '../../define/stream-broadcaster.js';
import { provideBroadcaster } from '../../elements/broadcaster/live/lazy-broadcaster.js';
import type { StreamBroadcasterElement } from '../../elements/broadcaster/stream-broadcaster-element.js';
import { viewerLink, type BroadcasterAddress } from '../address.js';
import { iframeCode, tagCode } from '../embed-code.js';
import { pageTheme } from '../page-theme.js';
import { loadTagMessages, setPageLanguage, visitorLanguage } from '../visitor-language.js';
import '../copy-field.js';
import { readBroadcasterOptions } from './broadcaster-options.js';
import { readPageAddress } from './page-address.js';
import { en } from './messages/en.js';
import type { LinkedSentence } from './messages/broadcaster-page-messages.js';
import { pageMessages } from './messages/translations.js';

// First of all: it removes the token from the address bar.
let address = readPageAddress();
const { microphoneEnabled, cameraEnabled, resolution, sourceId, codec, simulcast, maxBitrate } = readBroadcasterOptions(
  new URL(location.href),
);
provideBroadcaster(Broadcaster);
const page = document.querySelector<HTMLElement>('#page')!;
const language = visitorLanguage(new URL(location.href));
const { name, logoUrl } = pageTheme();
/** Known after the stream has been live once. */
let accountId: string | undefined;
let messages = en;

function broadcasterOf({ streamName, token }: BroadcasterAddress): TemplateResult {
  return html`
    <header>
      ${logoUrl ? html`<img class="logo" src=${logoUrl} alt=${name} />` : nothing}
      <h1>${streamName}</h1>
      <a href="/dashboard">${messages.dashboard}</a>
    </header>
    <stream-broadcaster
      lang=${language}
      .streamName=${streamName}
      .token=${token}
      .microphoneEnabled=${microphoneEnabled}
      .cameraEnabled=${cameraEnabled}
      .resolution=${resolution}
      .sourceId=${sourceId}
      .codec=${codec}
      .simulcast=${simulcast}
      .maxBitrate=${maxBitrate}
      @stream-live=${(event: Event) => {
        const { phase } = event.currentTarget as StreamBroadcasterElement;
        if (phase.name === 'live') accountId = phase.accountId ?? accountId;
        show();
      }}
    ></stream-broadcaster>
    ${share(streamName)}
  `;
}

function share(streamName: string): TemplateResult {
  if (!accountId) return html`<p class="soft">${messages.linkAfterStart}</p>`;
  const stream = { accountId, streamName, token: '' };
  const { origin } = location;
  const field = (label: string, value: string) =>
    html`<copy-field .messages=${messages.copy} .label=${label} .value=${value}></copy-field>`;
  return html`
    <section class="card" aria-labelledby="share">
      <h2 id="share">${messages.share}</h2>
      ${field(messages.viewerLink, viewerLink(origin, stream))} ${field(messages.iframe, iframeCode(origin, stream))}
      ${field(messages.tag, tagCode(origin, stream))}
      <p class="soft">${linked(messages.privateStreams)}</p>
    </section>
  `;
}

function incomplete(): TemplateResult {
  return html`
    <div class="notice">
      <h1>${messages.incompleteLink}</h1>
      <p class="soft">${messages.neededParts}</p>
      <code dir="ltr">${location.origin}/broadcaster?streamName=NAME#token=TOKEN</code>
      <p class="soft">${linked(messages.createdBy)}</p>
    </div>
  `;
}

/** Browsers have no camera for a page without a secure context. */
function insecure(): TemplateResult {
  const { title, cause, next } = messages.insecure;
  return html`
    <div class="notice">
      <h1>${title}</h1>
      <p class="soft">${cause}</p>
      <p class="soft">${linked(next, '/errors/capture_insecure')}</p>
    </div>
  `;
}

const linked = ([before, link, after]: LinkedSentence, path = '/dashboard'): TemplateResult =>
  html`${before}<a href=${path}>${link}</a>${after}`;

function show(): void {
  if (address?.token) document.title = `${address.streamName} · ${name || 'go live'}`;
  const usable = window.isSecureContext ? broadcasterOf : insecure;
  render(address?.token ? usable(address) : incomplete(), page);
}

// A link that differs only in its fragment does not load the page again.
window.addEventListener('hashchange', () => {
  const next = readPageAddress();
  if (!next?.token) return;
  address = next;
  show();
});
loadTagMessages(language);
show();
messages = await pageMessages(language);
setPageLanguage(language);
show();
