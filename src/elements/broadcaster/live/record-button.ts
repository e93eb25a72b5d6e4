import { html, nothing, type TemplateResult } from 'lit';
import type { BroadcasterRecording } from '../../../client/broadcaster/broadcaster-recording.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';

/** The button that stops and starts the recording. Nothing where the token does not record. */
export function recordButton(
  messages: BroadcasterMessages,
  { name }: BroadcasterRecording,
  record: () => void,
  unrecord: () => void,
): TemplateResult | typeof nothing {
  if (name === 'unavailable') return nothing;
  const isOn = name === 'on';
  return html`<button part="button record" @click=${isOn ? unrecord : record}>
    ${isOn ? messages.unrecord : messages.record}
  </button>`;
}
