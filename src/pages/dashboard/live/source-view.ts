import { html, nothing, type TemplateResult } from 'lit';
import { bitrateText, codecNames, percentText } from '../formatting.js';
import { tokenWord } from '../token-word.js';
import type { LiveSource } from './live-state.js';
import type { LiveMessages } from './messages/live-messages.js';
import type { PageTexts } from '../page-context.js';
import { receptionCause } from './reception-cause.js';
import { recordingControls, recordingSign } from './recording-controls.js';

interface SourceOptions {
  readonly texts: PageTexts<LiveMessages>;
  readonly isBusy: boolean;
  /** Whether the person may record. */
  readonly mayRecord: boolean;
  readonly onRecord: (isOn: boolean) => void;
  readonly onClip: (seconds: number) => void;
}

/** One source of a stream: what the server receives of it, and its recording. */
export function sourceView(source: LiveSource, streamName: string, options: SourceOptions): TemplateResult {
  const { texts, isBusy, mayRecord, onRecord, onClip } = options;
  const { messages, common, language } = texts;
  const { sourceId, tracks, videoBitrate, connected, notices } = source;
  const name = sourceId === null ? messages.mainSource : messages.source(sourceId);
  return html`
    <div class="source">
      <h3><bdi>${name}</bdi></h3>
      <p class="facts soft">
        ${recordingSign(source, messages)}
        <span>${messages.token(tokenWord(source, common))}</span>
        ${tracks.map((kind) => html`<span>${messages.tracks[kind] ?? kind}</span>`)}
        <span>${bitrateText(videoBitrate, language)}</span>
        ${reception(source, texts)}
      </p>
      ${connected ? nothing : html`<p class="error">${messages.lost}</p>`} ${notices.map((code) => notice(code, texts))}
      ${
        mayRecord
          ? recordingControls(source, { texts, name: `${streamName}, ${name}`, isBusy, onSwitch: onRecord, onClip })
          : nothing
      }
      ${source.encodings.length === 0 ? nothing : encodingTable(source, name, texts)}
    </div>
  `;
}

function reception(
  { reception }: LiveSource,
  { messages, language }: PageTexts<LiveMessages>,
): TemplateResult | typeof nothing {
  if (!reception) return nothing;
  const { videoCodec, audioCodec, loss, shed } = reception;
  const cause = receptionCause(reception);
  return html`
    <span dir="ltr">${codecNames(videoCodec, audioCodec)}</span>
    ${
      loss === null
        ? nothing
        : html`<span class=${cause === 'upload' ? 'is-off' : ''}
            >${messages.lostPackets(percentText(loss, language))}</span
          >`
    }
    ${cause === 'upload' ? html`<span class="is-off">${messages.weakUpload}</span>` : nothing}
    ${
      shed === 0
        ? nothing
        : html`<span class="is-off">${messages.shedFrames(shed.toLocaleString(language))}</span>
            <span class="is-off">${messages.busyServer}</span>`
    }
  `;
}

/** A newer server can have notices that this page does not know. */
function notice(code: string, { messages }: PageTexts<LiveMessages>): TemplateResult {
  const text = (messages.notices as Readonly<Record<string, string>>)[code] ?? code;
  return html`<p class=${code === 'picture_transcoded' ? 'soft' : 'error'}>${text}</p>`;
}

function encodingTable(
  { encodings }: LiveSource,
  name: string,
  { messages, language }: PageTexts<LiveMessages>,
): TemplateResult {
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label=${`${messages.encodings}: ${name}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${messages.encodings}</th>
            <th scope="col">${messages.size}</th>
            <th scope="col">${messages.bitrate}</th>
          </tr>
        </thead>
        <tbody>
          ${encodings.map(
            ({ id, active, width, height, bitrate }) => html`
              <tr>
                <th scope="row"><bdi>${id}</bdi></th>
                <td class="unbroken">
                  ${height > 0 ? html`<bdi dir="ltr">${`${width} × ${height}`}</bdi>` : messages.unknownSize}
                </td>
                <td class="unbroken">${active ? bitrateText(bitrate, language) : messages.notReceived}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
