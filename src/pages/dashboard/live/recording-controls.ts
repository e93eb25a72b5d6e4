import { html, nothing, type TemplateResult } from 'lit';
import type { LiveSource } from './live-state.js';
import type { LiveMessages } from './messages/live-messages.js';
import type { PageTexts } from '../page-context.js';

/** The clips that a person can cut, in seconds. */
const CLIPS = [30, 60, 300] as const;

interface RecordingControls {
  readonly texts: PageTexts<LiveMessages>;
  /** The name of the source for the person. */
  readonly name: string;
  readonly isBusy: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly onClip: (seconds: number) => void;
}

/** The sign that a source is recorded. */
export function recordingSign(
  { recording, reception }: LiveSource,
  messages: LiveMessages,
): TemplateResult | typeof nothing {
  if (!recording) return nothing;
  return html`
    <strong class="recording-sign">REC<span class="visually-hidden"> ${messages.isRecorded}</span></strong>
    ${reception?.videoCodec === 'vp8' ? html`<span>${messages.noRewind}</span>` : nothing}
  `;
}

/** Starts and stops the recording of a source, and cuts clips of what is being recorded. */
export function recordingControls(
  { recording }: LiveSource,
  { texts: { messages, language }, name, isBusy, onSwitch, onClip }: RecordingControls,
): TemplateResult | typeof nothing {
  if (recording === undefined) return nothing;
  const label = recording ? messages.unrecord : messages.record;
  return html`
    <div class="actions" role="group" aria-label=${`${messages.recording}: ${name}`}>
      <button ?disabled=${isBusy} @click=${() => onSwitch(!recording)}>${label}</button>
      ${
        recording
          ? CLIPS.map(
              (seconds) =>
                html`<button ?disabled=${isBusy} @click=${() => onClip(seconds)}>
                  ${messages.clip(lengthText(seconds, language))}
                </button>`,
            )
          : nothing
      }
    </div>
  `;
}

/** As `30 sec` or `5 min`, in the words of the language. */
function lengthText(seconds: number, language: string): string {
  const [amount, unit] = seconds < 60 ? [seconds, 'second'] : [seconds / 60, 'minute'];
  return amount.toLocaleString(language, { style: 'unit', unit, unitDisplay: 'short' });
}
