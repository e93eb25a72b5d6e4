import { html, nothing, type TemplateResult } from 'lit';
import type { SessionBody } from '../../../wire/management/session.js';
import { bitrateText, clockText, countryName, timeText } from '../formatting.js';
import { sessionQualityFacts } from '../quality/quality-facts.js';
import { tokenWord } from '../token-word.js';
import { isBlockable, type BlockableSession } from './block-question.js';
import type { StreamConnections } from './live-state.js';
import type { LiveMessages } from './messages/live-messages.js';
import type { PageTexts } from '../page-context.js';

interface ConnectionsOptions {
  readonly texts: PageTexts<LiveMessages>;
  /** Milliseconds since 1970. */
  readonly readOn: number;
  /** Whether the person may change tokens. */
  readonly canBlock: boolean;
  /** Whether the person may end sessions. */
  readonly canDisconnect: boolean;
  readonly onDisconnect: (session: SessionBody) => void;
  readonly onBlock: (session: BlockableSession) => void;
}

/** Who publishes a stream and who watches, each with the ways to keep them out. */
export function connectionsView(
  { streamName, publishers, viewers, hasMore }: StreamConnections,
  options: ConnectionsOptions,
): TemplateResult {
  const { messages } = options.texts;
  const list = (sessions: readonly SessionBody[]) => html`
    <ul>
      ${sessions.map((session) => connection(session, options))}
    </ul>
  `;
  return html`
    <div class="viewers">
      ${
        publishers.length === 0
          ? nothing
          : html`<h3>${messages.publishersOf(streamName)}</h3>
              ${list(publishers)}`
      }
      <h3>${messages.viewersOf(streamName)}</h3>
      ${viewers.length === 0 ? html`<p class="soft">${messages.noViewers}</p>` : list(viewers)}
      ${hasMore ? html`<p class="soft">${messages.moreViewers}</p>` : nothing}
    </div>
  `;
}

function connection(session: SessionBody, options: ConnectionsOptions): TemplateResult {
  const { texts, readOn, canBlock, canDisconnect, onDisconnect, onBlock } = options;
  const { messages, common, language } = texts;
  const { role, tokenId, tokenLabel, openedOn, firstMediaOn, reconnects, origin, quality, country, delivery } = session;
  const opened = Date.parse(openedOn);
  const since = timeText(opened, language);
  const address = session.address ?? messages.unknownAddress;
  const isViewer = role === 'viewer';
  return html`
    <li>
      <div>
        <h4><bdi>${address}</bdi></h4>
        <p class="facts soft">
          <span
            >${tokenId === null ? messages.noToken : messages.token(tokenWord({ tokenId, tokenLabel }, common))}</span
          >
          ${country === null ? nothing : html`<span>${countryName(country, language)}</span>`}
          <span>${messages.watchingSince(since, clockText((readOn - opened) / 1000))}</span>
          ${isViewer && firstMediaOn === null ? html`<span>${messages.noPicture}</span>` : nothing}
          ${reconnects > 0 ? html`<span>${messages.reconnects(reconnects.toLocaleString(language))}</span>` : nothing}
          ${sent(delivery, texts)} ${sessionQualityFacts(quality, { messages: messages.quality, language })}
          ${origin === null ? nothing : html`<span dir="ltr">${origin}</span>`}
        </p>
        ${canBlock && !isBlockable(session) ? html`<p class="facts soft">${hint(session, messages)}</p>` : nothing}
      </div>
      <div class="actions">
        ${
          canBlock && isBlockable(session)
            ? html`<button aria-label=${messages.blockThis(address)} @click=${() => onBlock(session)}>
                ${messages.block}
              </button>`
            : nothing
        }
        ${
          isViewer && canDisconnect
            ? html`<button aria-label=${messages.disconnectThis(address)} @click=${() => onDisconnect(session)}>
                ${messages.disconnect}
              </button>`
            : nothing
        }
      </div>
    </li>
  `;
}

function sent(
  delivery: SessionBody['delivery'],
  { messages, language }: PageTexts<LiveMessages>,
): TemplateResult | typeof nothing {
  if (!delivery) return nothing;
  const { bitrate, width, height, failedSends } = delivery;
  const shownBitrate = bitrateText(bitrate, language);
  const shown = height > 0 ? messages.sentSized(`${width} × ${height}`, shownBitrate) : messages.sent(shownBitrate);
  return html`
    ${bitrate === 0 ? nothing : html`<span>${shown}</span>`}
    ${
      failedSends === 0
        ? nothing
        : html`<span class="is-off">${messages.notSent(failedSends.toLocaleString(language))}</span>`
    }
  `;
}

/** Why the address cannot be blocked. */
const hint = ({ tokenId }: SessionBody, messages: LiveMessages): string =>
  tokenId === null ? messages.cannotBlockGuest : messages.cannotBlockUnknown;
