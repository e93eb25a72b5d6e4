import { html, render, type TemplateResult } from 'lit';
import { Broadcaster } from '../../client/broadcaster.js';
import '../../define/stream-broadcaster.js';
import { holdBroadcaster } from '../../elements/broadcaster/lazy-broadcaster.js';
import type { StreamBroadcasterElement } from '../../elements/broadcaster/stream-broadcaster-element.js';
import { readBroadcasterAddress, viewerLink, withTokenHidden, type BroadcasterAddress } from '../address.js';
import { iframeCode, tagCode } from '../embed-code.js';
import { visitorLanguage } from '../visitor-language.js';
import '../copy-field.js';

holdBroadcaster(Broadcaster);
const page = document.querySelector<HTMLElement>('#page')!;
const url = new URL(location.href);
const language = visitorLanguage(url);
const address = readBroadcasterAddress(url);
/** Told by the server once the stream has been live. */
let accountId: string | undefined;

function broadcasterOf({ streamName, token }: BroadcasterAddress): TemplateResult {
  return html`
    <header>
      <h1>${streamName}</h1>
      <a href="/dashboard">Dashboard</a>
    </header>
    <stream-broadcaster
      lang=${language}
      .streamName=${streamName}
      .token=${token}
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
  if (!accountId) {
    return html`<p class="soft">Once you are live, the link for your viewers appears here.</p>`;
  }
  const stream = { accountId, streamName, token: '' };
  const { origin } = location;
  return html`
    <section class="card" aria-labelledby="share">
      <h2 id="share">Share</h2>
      <copy-field label="Link for viewers" .value=${viewerLink(origin, stream)}></copy-field>
      <copy-field label="Frame for a website" .value=${iframeCode(origin, stream)}></copy-field>
      <copy-field label="Tag for a website" .value=${tagCode(origin, stream)}></copy-field>
      <p class="soft">
        A private stream asks viewers for a token: make their links on the <a href="/dashboard">dashboard</a>.
      </p>
    </section>
  `;
}

const incomplete = html`
  <div class="notice">
    <h1>This link is incomplete</h1>
    <p class="soft">It should name a stream and hold a token:</p>
    <code>${location.origin}/broadcaster?streamName=NAME#token=TOKEN</code>
    <p class="soft">The <a href="/dashboard">dashboard</a> makes one with a click.</p>
  </div>
`;

function show(): void {
  render(address?.token ? broadcasterOf(address) : incomplete, page);
}

if (address?.token) {
  document.title = `${address.streamName} · go live`;
  history.replaceState(null, '', withTokenHidden(url, address.token));
}
show();
