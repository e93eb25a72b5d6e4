import { html, nothing, type TemplateResult } from 'lit';
import type { RecordingBody } from '../../../wire/management/recording.js';
import { clockText, codecNames, dateTimeText, sizeText } from '../formatting.js';
import type { PageTexts } from '../page-context.js';
import type { KnownFault, RecordingsMessages } from './messages/recordings-messages.js';

export type RecordingAction = 'play' | 'download' | 'link' | 'cut' | 'finish' | 'keep' | 'delete';

export type RecordingTexts = PageTexts<RecordingsMessages>;

/** What a person calls a recording: its stream and when it began. */
export function recordingName({ streamName, startedOn }: RecordingBody, language: string): string {
  return `${streamName}, ${dateTimeText(startedOn, language)}`;
}

/** @param act undefined: the person may only look */
export function recordingRow(
  recording: RecordingBody,
  { messages, common, language }: RecordingTexts,
  isBusy: boolean,
  act: ((action: RecordingAction) => void) | undefined,
): TemplateResult {
  const { streamName, sourceId, kind, state, startedOn, bytes, container, fault, expiresOn } = recording;
  const name = recordingName(recording, language);
  const codecs = codecNames(recording.videoCodec, recording.audioCodec);
  const button = (action: RecordingAction, label: string, className = ''): TemplateResult => html`
    <button class=${className} ?disabled=${isBusy} aria-label=${`${label}: ${name}`} @click=${() => act!(action)}>
      ${label}
    </button>
  `;
  return html`
    <li class="stacked">
      <div>
        <h2 class="entry"><bdi>${streamName}</bdi></h2>
        <p class="facts soft">
          <span class=${state === 'recording' ? 'is-on' : state === 'failed' ? 'is-off' : ''}
            >${messages.states[state]}</span
          >
          ${kind === 'clip' ? html`<span>${messages.clip}</span>` : nothing}
          ${sourceId === null ? nothing : html`<span dir="auto">${messages.source(sourceId)}</span>`}
          <time datetime=${startedOn}>${dateTimeText(startedOn, language)}</time>
          <span>${clockText(recording.durationSeconds)}</span>
          <span>${sizeText(bytes, language)}</span>
          ${codecs ? html`<bdi>${codecs}</bdi>` : nothing}
          <span>${expiresOn === null ? common.neverExpires : common.expires(dateTimeText(expiresOn, language))}</span>
        </p>
        ${fault === null ? nothing : html`<p class="error">${faultOf(fault, messages)}</p>`}
        ${
          state === 'recording' && !recording.hasRewind && recording.videoCodec !== null
            ? html`<p class="soft">${messages.noRewind}</p>`
            : nothing
        }
      </div>
      ${
        act
          ? html`<div class="actions">
              ${
                state === 'ready' && container !== null
                  ? html`${button('play', messages.play)} ${button('download', messages.download)}
                    ${button('link', messages.link)} ${button('cut', messages.cut)}`
                  : nothing
              }
              ${canBeFinished(recording) ? button('finish', common.tryAgain) : nothing} ${button('keep', messages.keep)}
              ${state === 'recording' ? nothing : button('delete', messages.delete, 'danger')}
            </div>`
          : nothing
      }
    </li>
  `;
}

/** Something of it is kept, and has not become a file yet. */
function canBeFinished({ state, fault, bytes }: RecordingBody): boolean {
  return fault !== null && bytes > 0 && (state === 'finishing' || state === 'failed');
}

function faultOf(code: string, { faults, otherFault }: RecordingsMessages): string {
  return Object.hasOwn(faults, code) ? faults[code as KnownFault] : otherFault(code);
}
