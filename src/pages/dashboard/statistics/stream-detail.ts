import { html, nothing, type TemplateResult } from 'lit';
import type { SessionBody } from '../../../wire/management/session.js';
import { clockText, dateTimeText } from '../formatting.js';
import { sessionQualityFacts, streamQuality } from '../quality/quality-facts.js';
import '../time-chart.js';
import { tokenWord } from '../token-word.js';
import type { StatisticsMessages } from './messages/statistics-messages.js';
import type { PageTexts } from '../page-context.js';
import { endText } from './statistics-dialog.js';
import type { StreamDetail } from './statistics-state.js';

interface DetailOptions {
  readonly texts: PageTexts<StatisticsMessages>;
  readonly isBusy: boolean;
  readonly onTimeline: (session: SessionBody) => void;
  readonly onMore: () => void;
  readonly csvButton: TemplateResult;
}

/** A stream: its viewers over time, what they saw, and its sessions. */
export function streamDetail(detail: StreamDetail, options: DetailOptions): TemplateResult {
  const { texts, onMore, csvButton } = options;
  const { messages, language } = texts;
  const { streamName, peaks, total, worst, sessions, next } = detail;
  return html`
    <section class="card" aria-labelledby="detail">
      <h2 id="detail"><bdi>${streamName}</bdi></h2>
      <time-chart
        .points=${peaks}
        .label=${messages.chart(total.peakViewers.toLocaleString(language))}
        .language=${language}
      ></time-chart>
      <h3>${messages.quality.experience}</h3>
      ${streamQuality({ quality: total.quality, worst }, { messages: messages.quality, language })}
      <h3>${messages.sessionsOf(streamName)}</h3>
      ${
        sessions.length === 0
          ? html`<p class="soft">${messages.noSessions}</p>`
          : html`<ul>
              ${sessions.map((session) => sessionRow(session, options))}
            </ul>`
      }
      <div class="actions">
        ${next === null ? nothing : html`<button @click=${onMore}>${messages.moreSessions}</button>`}
        ${sessions.length === 0 ? nothing : csvButton}
      </div>
    </section>
  `;
}

function sessionRow(session: SessionBody, { texts, isBusy, onTimeline }: DetailOptions): TemplateResult {
  const { messages, common, language } = texts;
  const { role, address, tokenId, tokenLabel, openedOn, reason, watchedSeconds, broadcastSeconds, origin, quality } =
    session;
  const opened = dateTimeText(openedOn, language);
  return html`
    <li>
      <div>
        <h4>
          ${role === 'publisher' ? messages.publisher : messages.viewer}
          <bdi>${address ?? messages.unknownAddress}</bdi>
        </h4>
        <p class="facts soft">
          <time datetime=${openedOn}>${opened}</time>
          <span dir="ltr">${clockText(watchedSeconds ?? broadcastSeconds ?? 0)}</span>
          <span
            >${tokenId === null ? messages.noToken : messages.tokenNumber(tokenWord({ tokenId, tokenLabel }, common))}</span
          >
          ${
            reason === null
              ? html`<span class="is-on">${messages.open}</span>`
              : html`<span>${endText(reason, messages)}</span>`
          }
          ${sessionQualityFacts(quality, { messages: messages.quality, language })}
          ${origin === null ? nothing : html`<span dir="ltr">${origin}</span>`}
        </p>
      </div>
      <div class="actions">
        <button ?disabled=${isBusy} aria-label=${messages.timelineOf(opened)} @click=${() => onTimeline(session)}>
          ${messages.timeline}
        </button>
      </div>
    </li>
  `;
}
