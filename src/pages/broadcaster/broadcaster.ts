import { html, nothing, render, type TemplateResult } from 'lit';
import { Broadcaster } from '../../client/broadcaster/broadcaster.js';
import { BROADCASTER_IDLE, isOver, type BroadcasterPhase } from '../../client/broadcaster/broadcaster-phase.js';
import '../../define/stream-broadcaster.js';
import { broadcasterMessages } from '../../elements/i18n/en.js';
import { errorMessage } from '../../elements/i18n/messages.js';
import { provideBroadcaster } from '../../elements/broadcaster/live/lazy-broadcaster.js';
import type { StreamPhaseChangeEvent } from '../../elements/events.js';
import type { BroadcasterAddress } from '../address.js';
import { rememberLanguage } from '../chosen-language.js';
import { languageChoice } from '../language-choice.js';
import { pageTheme } from '../page-theme.js';
import { onTagMessages, pageTitle, tagMessages } from '../page-title.js';
import { loadTagMessages, setPageLanguage, visitorLanguage } from '../visitor-language.js';
import { broadcasterTitle } from './broadcaster-title.js';
import { readBroadcasterOptions } from './broadcaster-options.js';
import { fetchTerms, type BroadcastTerms } from './broadcast-terms.js';
import { readPageAddress } from './page-address.js';
import { en } from './messages/en.js';
import { broadcasterPageMessages } from './messages/translations.js';
import { shareCard } from './share-card.js';

// First of all: it removes the token from the address bar.
let address = readPageAddress();
const { microphoneEnabled, cameraEnabled, resolution, sourceId, codec, simulcast, maxBitrate } = readBroadcasterOptions(
  new URL(location.href),
);
provideBroadcaster(Broadcaster);
const page = document.querySelector<HTMLElement>('#page')!;
let language = visitorLanguage(new URL(location.href));
const { name, logoUrl } = pageTheme();
/** Undefined: not known. */
let terms: BroadcastTerms | undefined;
/** Why the server refuses the link, before somebody goes live with it. */
let refusedAs: string | undefined;
let phase: BroadcasterPhase = BROADCASTER_IDLE;
let messages = en;

function broadcasterOf({ streamName, token }: BroadcasterAddress): TemplateResult {
  return html`
    <header>
      ${logoUrl ? html`<img class="logo" src=${logoUrl} alt=${name} />` : nothing}
      <h1>${streamName}</h1>
      ${languageChoice(language, messages.language, choose)}
      <a href="/dashboard">${messages.dashboard}</a>
    </header>
    ${announcement()}
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
      @stream-capture-error=${setTitle}
      @stream-camera-change=${setTitle}
      @stream-microphone-change=${setTitle}
      @stream-screen-change=${setTitle}
      @stream-phase-change=${({ previous, current }: StreamPhaseChangeEvent<BroadcasterPhase>) => {
        phase = current;
        show();
        // The owner may have changed the token since.
        if (current.name === 'live' && previous.name !== 'live') void readTerms();
      }}
    ></stream-broadcaster>
    ${terms ? shareCard(streamName, terms, messages) : linkAfterStart()}
  `;
}

/** Said before the broadcast begins. While it is live, the tag says whether it is recorded now, and why it was refused. */
function announcement(): TemplateResult | typeof nothing {
  if (refusedAs !== undefined && phase.name === 'idle') return refusal(refusedAs);
  if (!terms?.isRecorded || !isOver(phase)) return nothing;
  return html`<p class="card announced recorded" role="status">${messages.willBeRecorded}</p>`;
}

function refusal(code: string): TemplateResult {
  const ofTag = tagMessages(broadcasterMessages, language);
  const [title] = errorMessage(ofTag, code, '', ofTag.cannotBroadcast);
  return html`<p class="card announced" role="alert"><strong>${title}</strong><br />${messages.refusedLink}</p>`;
}

const linkAfterStart = (): TemplateResult | typeof nothing =>
  refusedAs === undefined ? html`<p class="soft">${messages.linkAfterStart}</p>` : nothing;

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

const linked = ([before, link, after]: readonly [string, string, string], path = '/dashboard'): TemplateResult =>
  html`${before}<a href=${path}>${link}</a>${after}`;

function show(): void {
  const usable = window.isSecureContext ? broadcasterOf : insecure;
  render(address?.token ? usable(address) : incomplete(), page);
  setTitle();
}

function setTitle(): void {
  const tag = page.querySelector('stream-broadcaster');
  const word = tag && broadcasterTitle(tag, tagMessages(broadcasterMessages, language), refusedAs);
  const notice = address?.token ? messages.insecure.title : messages.incompleteLink;
  document.title = pageTitle(word ?? notice, address?.streamName ?? '', name);
}

async function readTerms(): Promise<void> {
  const asked = address;
  const answer = asked?.token ? await fetchTerms(location.origin, asked) : undefined;
  // What was known stays if the server cannot be asked now.
  if (asked !== address || !answer) return;
  if ('refusedAs' in answer) refusedAs = answer.refusedAs;
  else [terms, refusedAs] = [answer, undefined];
  show();
}

/** Shows the page in a language. The tag stays as it is, and live. */
async function speak(wanted: string): Promise<void> {
  loadTagMessages(wanted);
  const loaded = await broadcasterPageMessages(wanted);
  [language, messages] = [wanted, loaded];
  setPageLanguage(language);
  show();
}

const choose = (wanted: string): Promise<boolean> =>
  speak(wanted).then(
    () => (rememberLanguage(wanted), true),
    () => false,
  );

// A link that differs only in its fragment does not load the page again.
window.addEventListener('hashchange', () => {
  const next = readPageAddress();
  if (!next?.token) return;
  [address, terms, refusedAs] = [next, undefined, undefined];
  show();
  void readTerms();
});
onTagMessages(show);
show();
void readTerms();
await speak(language);
