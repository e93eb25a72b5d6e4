import type { CaptureErrorCode, StreamErrorCode } from '../../src/client/errors.js';
import type { StreamBroadcasterElement } from '../../src/elements/broadcaster/stream-broadcaster-element.js';
import { ruleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { sendCue, type Cue } from '../simulation/cues.js';
import type { State } from './state.js';
import { until } from './until.js';

type Broadcast = State<StreamBroadcasterElement>;
type Reach = NonNullable<Broadcast['reach']>;

const state = (
  name: string,
  situation: string,
  states: readonly string[],
  more: Partial<Broadcast> = {},
): Broadcast => ({ tag: 'stream-broadcaster', name, situation, states, ...more });

const inside = <Found extends HTMLElement>(element: HTMLElement, selectors: string): Found | null =>
  element.shadowRoot!.querySelector<Found>(selectors);

/** There is a picture of oneself. */
const preview: Reach = async (element, signal) => {
  await until(() => (inside<HTMLVideoElement>(element, 'video')?.videoWidth ?? 0) > 0, signal);
};

/** The button was pressed, and it came to this. */
const gone =
  (phase: string): Reach =>
  async (element, signal) => {
    await preview(element, signal);
    element.goLive();
    await until(() => element.phase.name === phase, signal);
  };

const cued =
  (name: Cue, phase: string): Reach =>
  async (element, signal) => {
    await gone('live')(element, signal);
    sendCue(name);
    await until(() => element.phase.name === phase, signal);
  };

const asked: Reach = async (element) => {
  // It may take for ever.
  void element.openCamera();
  await element.updateComplete;
};

const told = (verdict: string): Reach =>
  async function (element, signal) {
    await gone('live')(element, signal);
    inside<HTMLDetailsElement>(element, '[part=health]')!.open = true;
    await until(
      () => inside(element, `.${verdict}`) !== null && !inside(element, 'dd')!.textContent.includes('–'),
      signal,
    );
  };

const opened =
  (part: string): Reach =>
  async (element, signal) => {
    await gone('live')(element, signal);
    inside<HTMLDetailsElement>(element, `[part=${part}]`)!.open = true;
  };

const faults: readonly CaptureErrorCode[] = [
  'capture_denied',
  'capture_no_device',
  'capture_in_use',
  'capture_insecure',
  'capture_failed',
];
const refusals = [...ruleRefusalCode.options, 'replaced', 'stopped_by_owner', 'no_common_codec', 'a_word_of_tomorrow'];
const failures: readonly StreamErrorCode[] = ['malformed_answer', 'webrtc_missing', 'token_unavailable', 'unexpected'];

/** Everything that <stream-broadcaster> can look like. */
export const broadcasterStates: readonly Broadcast[] = [
  state('idle, before it asks', 'live', ['idle'], { devices: 'not-asked' }),
  state('asking for devices', 'live', ['idle'], { devices: 'asking', reach: asked }),
  ...faults.map((code) => state(code.replace('_', ': '), 'live', ['idle'], { devices: code, reach: asked })),
  state('preview', 'live', ['idle'], { reach: preview }),
  state('preview, no screen to share', 'live', ['idle'], {
    devices: 'capture_no_screen',
    reach: async (element, signal) => {
      await element.openCamera();
      await preview(element, signal);
      await element.shareScreen();
    },
  }),
  state('preview, nothing to go live with', 'live', ['idle'], {
    properties: { streamName: '', token: '' },
    reach: preview,
  }),
  state('starting', 'starting', ['starting'], { reach: gone('starting') }),
  state('live', 'live', ['live'], { reach: gone('live') }),
  state('live, muted', 'live', ['live', 'microphone-off'], {
    reach: async (element, signal) => {
      await gone('live')(element, signal);
      inside(element, '.device button')!.click();
    },
  }),
  state('live, camera off', 'live', ['live', 'camera-off'], {
    reach: async (element, signal) => {
      await gone('live')(element, signal);
      [...element.shadowRoot!.querySelectorAll<HTMLElement>('.device button')][1]!.click();
    },
  }),
  state('live, camera unplugged', 'live', ['live'], {
    reach: async (element, signal) => {
      await gone('live')(element, signal);
      sendCue('unplug');
      await until(() => inside(element, '.notice') !== null, signal);
    },
  }),
  state('live, screen', 'live', ['live', 'sharing'], {
    reach: async (element, signal) => {
      await gone('live')(element, signal);
      await element.shareScreen();
    },
  }),
  state('live, settings open', 'live', ['live'], { reach: opened('settings') }),
  state('live, share open', 'live', ['live'], { reach: opened('share') }),
  state('live, health: good', 'live', ['live'], { reach: told('good') }),
  state('live, health: slow', 'live/slow', ['live'], { reach: told('slow') }),
  state('live, health: lossy', 'live/lossy', ['live'], { reach: told('lossy') }),
  state('live, health: busy', 'live/busy', ['live'], { reach: told('busy') }),
  state('reconnecting', 'live', ['reconnecting'], { reach: cued('break', 'reconnecting') }),
  state('reconnecting, never live', 'reconnecting', ['reconnecting'], { reach: gone('reconnecting') }),
  ...refusals.map((word) => state(`rejected: ${word}`, `rejected/${word}`, ['rejected'], { reach: gone('rejected') })),
  ...failures.map((code) => state(`failed: ${code}`, `failed/${code}`, ['failed'], { reach: gone('failed') })),
];
