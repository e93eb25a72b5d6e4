import { html, nothing, type TemplateResult } from 'lit';
import type { RecordingBody } from '../../../wire/management/recording.js';
import { clockText, codecNames, dateTimeText, sizeText } from '../formatting.js';
import type { PageTexts } from '../page-context.js';
import type { RecordingsMessages } from './messages/recordings-messages.js';

export type RecordingAction = 'play' | 'download' | 'link' | 'cut' | 'finish' | 'keep' | 'delete';

export type RecordingTexts = PageTexts<RecordingsMessages>;

/** The fault of a recording of which nothing is known but the stream. */
const UNREADABLE = 'stored_row_unreadable';

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
  const { streamName, sourceId, kind, state, startedOn, bytes, fault, expiresOn } = recording;
  const name = recordingName(recording, language);
  const codecs = codecNames(recording.videoCodec, recording.audioCodec);
  const button = (action: RecordingAction): TemplateResult => {
    const label = action === 'finish' ? common.tryAgain : messages[action];
    return html`
      <button
        class=${action === 'delete' ? 'danger' : ''}
        ?disabled=${isBusy}
        aria-label=${`${label}: ${name}`}
        @click=${() => act!(action)}
      >
        ${label}
      </button>
    `;
  };
  return html`
    <li class="stacked">
      <div>
        <h2 class="entry"><bdi>${streamName}</bdi></h2>
        <p class="facts soft">
          ${stateSign(recording, messages)} ${kind === 'clip' ? html`<span>${messages.clip}</span>` : nothing}
          ${sourceId === null ? nothing : html`<span dir="auto">${messages.source(sourceId)}</span>`}
          <time datetime=${startedOn}>${dateTimeText(startedOn, language)}</time>
          ${
            fault === UNREADABLE
              ? nothing
              : html`
                  <span>${clockText(recording.durationSeconds)}</span>
                  <span>${sizeText(bytes, language)}</span>
                  ${codecs ? html`<bdi>${codecs}</bdi>` : nothing}
                  <span
                    >${expiresOn === null ? common.neverExpires : common.expires(dateTimeText(expiresOn, language))}</span
                  >
                `
          }
        </p>
        ${fault === null ? nothing : html`<p class="error">${faultOf(fault, messages)}</p>`}
        ${
          state === 'recording' && !recording.hasRewind && recording.videoCodec !== null
            ? html`<p class="soft">${messages.noRewind}</p>`
            : nothing
        }
      </div>
      ${act ? html`<div class="actions">${actionsOf(recording).map(button)}</div>` : nothing}
    </li>
  `;
}

/** Red while something is recorded. Of a broadcast that ended a moment ago, nothing is: it may go on. */
function stateSign({ state, endedOn }: RecordingBody, { states, away }: RecordingsMessages): TemplateResult {
  if (state === 'recording' && endedOn !== null) return html`<span>${away}</span>`;
  const look = state === 'recording' ? 'recording-sign' : state === 'failed' ? 'is-off' : '';
  return html`<span class=${look}>${states[state]}</span>`;
}

/** What can be done with a recording. Of one that cannot be read, nothing but to delete it. */
export function actionsOf(recording: RecordingBody): readonly RecordingAction[] {
  const { state, container, fault } = recording;
  const actions: RecordingAction[] = [];
  if (state === 'ready' && container !== null) actions.push('play', 'download', 'link', 'cut');
  if (canBeFinished(recording)) actions.push('finish');
  if (fault !== UNREADABLE) actions.push('keep');
  if (state !== 'recording') actions.push('delete');
  return actions;
}

/** Something of it is kept, and has not become a file yet. */
function canBeFinished({ state, fault, bytes }: RecordingBody): boolean {
  return fault !== null && bytes > 0 && (state === 'finishing' || state === 'failed');
}

/** Faults without a text are shown by their code. */
function faultOf(code: string, { faults, otherFault }: RecordingsMessages): string {
  return Object.hasOwn(faults, code) ? faults[code as keyof typeof faults] : otherFault(code);
}
