import { html, nothing, type TemplateResult } from 'lit';
import type { LiveStreamBody } from '../../../wire/management/live-stream.js';
import { confirmation } from '../dialog-contents.js';
import { clockText, timeText } from '../formatting.js';
import type { LiveView } from '../live/live-state.js';
import type { LiveMessages } from '../live/messages/live-messages.js';
import type { PageTexts } from '../page-context.js';
import type { PageChanges } from '../page-changes.js';
import { commonSearch, searchOf } from '../page-query.js';
import { pathOf } from '../routes.js';

/** A stream that a person may want to stop, with how many watch it. */
export type StopQuestion = Pick<LiveStreamBody, 'streamName' | 'viewers'>;

interface OnAirOptions {
  readonly texts: PageTexts<LiveMessages>;
  /** Undefined: the person may not stop a broadcast. */
  readonly onStop: ((question: StopQuestion) => void) | undefined;
}

/** What is on air now, each with a way to end it. Nothing while nothing is. */
export function onAirCard(view: LiveView, options: OnAirOptions): TemplateResult | typeof nothing {
  if (view.name !== 'ready' || view.streams.length === 0) return nothing;
  const { messages, language } = options.texts;
  return html`
    <section class="card" aria-labelledby="on-air">
      <h2 id="on-air">${messages.live}</h2>
      ${
        view.isStale
          ? html`<p class="error" role="alert">${messages.stale(timeText(view.readOn, language, 'medium'))}</p>`
          : nothing
      }
      <ul>
        ${view.streams.map((stream) => row(stream, view.readOn, options))}
      </ul>
    </section>
  `;
}

function row(
  { streamName, liveSince, viewers, sources }: LiveStreamBody,
  readOn: number,
  { texts: { messages, language }, onStop }: OnAirOptions,
): TemplateResult {
  const begun = Date.parse(liveSince);
  const isRecorded = sources.some(({ recording }) => recording);
  return html`
    <li>
      <div>
        <h3><bdi>${streamName}</bdi></h3>
        <p class="facts soft">
          <span>${messages.onAir(timeText(begun, language), clockText((readOn - begun) / 1000))}</span>
          <strong>${messages.viewers(viewers.toLocaleString(language))}</strong>
          ${
            isRecorded
              ? html`<strong class="recording-sign"
                  >REC<span class="visually-hidden"> ${messages.isRecorded}</span></strong
                >`
              : nothing
          }
        </p>
      </div>
      <div class="actions">
        <a
          class="button"
          href=${pathOf('live') + searchOf(commonSearch(location.search), { stream: streamName })}
          aria-label="${messages.showConnections}: ${streamName}"
          >${messages.showConnections}</a
        >
        ${
          onStop
            ? html`<button
                class="danger"
                aria-label=${messages.stopThis(streamName)}
                @click=${() => onStop({ streamName, viewers })}
              >
                ${messages.stop}
              </button>`
            : nothing
        }
      </div>
    </li>
  `;
}

/** Says before a broadcast is stopped what that does to those who watch. */
export function stopQuestion(
  { streamName, viewers }: StopQuestion,
  { messages, common, language }: PageTexts<LiveMessages>,
  changes: PageChanges,
  onConfirm: () => void,
): TemplateResult {
  return confirmation(
    {
      title: messages.stopQuestion(streamName),
      effect: messages.stopEffect,
      details: html`<p>${messages.viewers(viewers.toLocaleString(language))}</p>`,
      action: messages.stop,
    },
    { changes, common, onConfirm },
  );
}
