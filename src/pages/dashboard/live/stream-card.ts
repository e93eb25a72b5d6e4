import { html, nothing, type TemplateResult } from 'lit';
import type { ManagementClient } from '../../../management/management-client.js';
import type { LiveStreamBody } from '../../../wire/management/live-stream.js';
import type { SessionBody } from '../../../wire/management/session.js';
import { clockText, timeText } from '../formatting.js';
import '../time-chart.js';
import type { BlockableSession } from './block-question.js';
import { connectionsView } from './connections-view.js';
import type { LiveSource, StreamConnections } from './live-state.js';
import type { LiveMessages } from './messages/live-messages.js';
import type { PageTexts } from '../page-context.js';
import { sourceView } from './source-view.js';
import './stream-still.js';

export interface StreamActions {
  /** Shows who is connected to this stream, or to none. */
  readonly onSelect: (streamName: string | undefined) => void;
  readonly onStop: (streamName: string) => void;
  readonly onDisconnect: (session: SessionBody) => void;
  readonly onBlock: (session: BlockableSession) => void;
  readonly onRecord: (streamName: string, source: LiveSource, isOn: boolean) => void;
  readonly onClip: (streamName: string, source: LiveSource, seconds: number) => void;
}

interface CardOptions {
  readonly client: ManagementClient;
  readonly texts: PageTexts<LiveMessages>;
  readonly isBusy: boolean;
  /** When the stream was read, in milliseconds since 1970. */
  readonly readOn: number;
  /** Of one stream. Undefined: nobody has asked. */
  readonly connections: StreamConnections | undefined;
  readonly may: (permission: string) => boolean;
  readonly actions: StreamActions;
}

/** A stream that is live: its picture, its viewers over time, its sources, and who is connected. */
export function streamCard(stream: LiveStreamBody, options: CardOptions): TemplateResult {
  const { texts, isBusy, readOn, connections, may, actions } = options;
  const { messages, language } = texts;
  const { streamName, viewersOverTime, sources } = stream;
  const points = viewersOverTime.map((point) => ({ time: Date.parse(point.time), value: point.viewers }));
  const most = points.reduce((peak, { value }) => Math.max(peak, value), 0);
  const shown = connections?.streamName === streamName ? connections : undefined;
  return html`
    <section class="card stream" aria-label=${streamName}>
      ${heading(stream, shown !== undefined, options)}
      <div class="on-air">
        ${still(streamName, options)}
        <time-chart
          .points=${[...points, { time: readOn, value: stream.viewers }]}
          .label=${messages.chart(most.toLocaleString(language))}
          .language=${language}
        ></time-chart>
      </div>
      ${sources.map((source) =>
        sourceView(source, streamName, {
          texts,
          isBusy,
          mayRecord: may('recordings'),
          onRecord: (isOn) => actions.onRecord(streamName, source, isOn),
          onClip: (seconds) => actions.onClip(streamName, source, seconds),
        }),
      )}
      ${shown ? who(shown, options) : nothing}
    </section>
  `;
}

function heading(
  { streamName, liveSince, viewers }: LiveStreamBody,
  isOpen: boolean,
  { texts: { messages, language }, readOn, may, actions }: CardOptions,
): TemplateResult {
  const begun = Date.parse(liveSince);
  return html`
    <div class="heading">
      <div>
        <h2 class="entry"><bdi>${streamName}</bdi></h2>
        <p class="facts soft">
          <span>${messages.onAir(timeText(begun, language), clockText((readOn - begun) / 1000))}</span>
          <strong>${messages.viewers(viewers.toLocaleString(language))}</strong>
        </p>
      </div>
      <div class="actions">
        <button aria-expanded=${isOpen} @click=${() => actions.onSelect(isOpen ? undefined : streamName)}>
          ${isOpen ? messages.hideConnections : messages.showConnections}
        </button>
        ${
          may('streams')
            ? html`<button aria-label=${messages.stopThis(streamName)} @click=${() => actions.onStop(streamName)}>
                ${messages.stop}
              </button>`
            : nothing
        }
      </div>
    </div>
  `;
}

function who(
  connections: StreamConnections,
  { texts, readOn, may, actions: { onDisconnect, onBlock } }: CardOptions,
): TemplateResult {
  const [canBlock, canDisconnect] = [may('tokens'), may('streams')];
  return connectionsView(connections, { texts, readOn, canBlock, canDisconnect, onDisconnect, onBlock });
}

/** Who may see figures only, may not see what is broadcast. */
function still(streamName: string, { client, texts: { messages }, may }: CardOptions): TemplateResult | typeof nothing {
  if (!may('read')) return nothing;
  return html`
    <stream-still
      .load=${(signal: AbortSignal) => client.streams.still(streamName, { signal })}
      .label=${messages.still(streamName)}
      .noPicture=${messages.noStill}
    ></stream-still>
  `;
}
