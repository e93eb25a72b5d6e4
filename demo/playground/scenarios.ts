import type { DeviceScenario } from '../simulation/devices.js';
import type { Cue } from '../simulation/cues.js';
import { refusals } from '../simulation/refusals.js';

/** A choice, and its label. */
export type Choice<Value extends string> = readonly [value: Value, label: string];

const refusalsOf = (tag: keyof typeof refusals): Choice<string>[] =>
  refusals[tag].map((code) => [`rejected/${code}`, `refused: ${code}`]);

const FAILURES = ['malformed_answer', 'webrtc_missing', 'token_unavailable', 'unexpected'].map(
  (code): Choice<string> => [`failed/${code}`, `failed: ${code}`],
);

export const SCENARIOS: Readonly<Record<string, readonly Choice<string>[]>> = {
  'stream-viewer': [
    ['live', 'a stream is live'],
    ['live/silent', 'a stream without sound is live'],
    ['waiting', 'the stream is not live yet'],
    ['authorizing', 'the server answers slowly'],
    ['connecting', 'the media arrives late'],
    ['reconnecting', 'the server does not answer'],
    ['reconnecting/media_lost', 'the network blocks the media'],
    ...refusalsOf('stream-viewer'),
    ...FAILURES,
  ],
  'stream-broadcaster': [
    ['live', 'no problems'],
    ['live/slow', 'the upload is slow'],
    ['live/lossy', 'the connection loses packets'],
    ['live/busy', 'the computer is busy'],
    ['starting', 'the server answers slowly'],
    ['reconnecting', 'the server does not answer'],
    ...refusalsOf('stream-broadcaster'),
    ...FAILURES,
  ],
};

export const DEVICES: readonly Choice<DeviceScenario>[] = [
  ['allowed', 'open at once'],
  ['not-asked', 'wait for the button'],
  ['asking', 'the browser asks'],
  ['capture_denied', 'denied'],
  ['capture_in_use', 'in use'],
  ['capture_no_device', 'no devices'],
  ['capture_insecure', 'the page is not secure'],
  ['capture_unsupported', 'the browser has none'],
  ['capture_failed', 'they do not open'],
  ['capture_no_screen', 'the screen is not shared'],
];

export const CUES: Readonly<Record<string, readonly Choice<Cue>[]>> = {
  'stream-viewer': [
    ['begin', 'The stream begins'],
    ['interrupt', 'The broadcaster is lost'],
    ['end', 'The broadcaster does not come back'],
    ['stop', 'The broadcaster ends it'],
    ['break', 'The connection breaks'],
    ['mend', 'The connection returns'],
    ['slow', 'The connection gets slow'],
    ['refuse', 'The token is switched off'],
  ],
  'stream-broadcaster': [
    ['break', 'The connection breaks'],
    ['mend', 'The connection returns'],
    ['unplug', 'The camera is unplugged'],
    ['refuse', 'The owner stops it'],
  ],
};
