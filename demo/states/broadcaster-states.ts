import type { CaptureErrorCode, StreamErrorCode } from '../../src/client/errors.js';
import { streamKey } from '../../src/client/broadcaster/stream-key.js';
import { resumeStorage } from '../../src/elements/broadcaster/live/resume-storage.js';
import type { StreamBroadcasterElement } from '../../src/elements/broadcaster/stream-broadcaster-element.js';
import { sendCue, type Cue } from '../simulation/cues.js';
import { refusals } from '../simulation/refusals.js';
import { until, type State } from './state.js';

type Broadcast = State<StreamBroadcasterElement>;
type Reach = NonNullable<Broadcast['reach']>;

const state = (
  name: string,
  scenario: string,
  states: readonly string[],
  more: Partial<Broadcast> = {},
): Broadcast => ({ tag: 'stream-broadcaster', name, scenario, states, ...more });

const inside = <Found extends HTMLElement>(element: HTMLElement, selectors: string): Found | null =>
  element.shadowRoot!.querySelector<Found>(selectors);

async function openPanel(element: HTMLElement, part: string, signal: AbortSignal): Promise<void> {
  await until(() => inside(element, `[part=${part}]`) !== null, signal);
  inside<HTMLDetailsElement>(element, `[part=${part}]`)!.open = true;
}

/** Waits for the preview. */
const preview: Reach = async (element, signal) => {
  await until(() => (inside<HTMLVideoElement>(element, 'video')?.videoWidth ?? 0) > 0, signal);
};

/** Goes live and waits for this phase. */
const wentLive =
  (phase: string): Reach =>
  async (element, signal) => {
    await preview(element, signal);
    element.goLive();
    await until(() => element.phase.name === phase, signal);
  };

const afterCue =
  (name: Cue, phase: string): Reach =>
  async (element, signal) => {
    await wentLive('live')(element, signal);
    sendCue(name);
    await until(() => element.phase.name === phase, signal);
  };

const opening: Reach = async (element) => {
  // Not awaited: the permission prompt may stay open. The tag shows an error.
  element.openCamera().catch(() => {});
  await element.updateComplete;
};

const healthOf = (verdict: string): Reach =>
  async function (element, signal) {
    await wentLive('live')(element, signal);
    await openPanel(element, 'health', signal);
    await until(
      () => inside(element, `.${verdict}`) !== null && !inside(element, 'dd')!.textContent.includes('–'),
      signal,
    );
  };

const withPanel =
  (part: string): Reach =>
  async (element, signal) => {
    await wentLive('live')(element, signal);
    await openPanel(element, part, signal);
  };

const faults: readonly CaptureErrorCode[] = [
  'capture_denied',
  'capture_no_device',
  'capture_in_use',
  'capture_insecure',
  'capture_unsupported',
  'capture_failed',
];
const failures: readonly StreamErrorCode[] = ['malformed_answer', 'webrtc_missing', 'token_unavailable', 'unexpected'];

/** Every state of <stream-broadcaster> with a different appearance. */
export const broadcasterStates: readonly Broadcast[] = [
  state('idle, before devices are requested', 'live', ['idle'], { devices: 'not-asked' }),
  // A stream of its own: the tab remembers it.
  state('idle, left while live', 'live', ['idle'], {
    devices: 'not-asked',
    properties: { streamName: 'left' },
    reach: async (element) => {
      const { endpoint, accountId, streamName } = element;
      resumeStorage.save('key', streamKey({ endpoint, accountId, streamName }), true);
      element.requestUpdate();
      await element.updateComplete;
    },
  }),
  state('asking for devices', 'live', ['idle'], { devices: 'asking', reach: opening }),
  ...faults.map((code) => state(code.replace('_', ': '), 'live', ['idle'], { devices: code, reach: opening })),
  state('preview', 'live', ['idle'], { reach: preview }),
  state('preview, no screen to share', 'live', ['idle'], {
    devices: 'capture_no_screen',
    reach: async (element, signal) => {
      await element.openCamera();
      await preview(element, signal);
      await element.shareScreen().catch(() => {});
    },
  }),
  state('preview, without stream name and token', 'live', ['idle'], {
    properties: { streamName: '', token: '' },
    reach: preview,
  }),
  state('starting', 'starting', ['starting'], { reach: wentLive('starting') }),
  state('live', 'live', ['live'], { reach: wentLive('live') }),
  state('live, muted', 'live', ['live', 'microphone-off'], {
    reach: async (element, signal) => {
      await wentLive('live')(element, signal);
      element.microphoneEnabled = false;
    },
  }),
  state('live, camera off', 'live', ['live', 'camera-off'], {
    reach: async (element, signal) => {
      await wentLive('live')(element, signal);
      element.cameraEnabled = false;
    },
  }),
  state('live, camera unplugged', 'live', ['live'], {
    reach: async (element, signal) => {
      await wentLive('live')(element, signal);
      sendCue('unplug');
      await until(() => inside(element, '.notice') !== null, signal);
    },
  }),
  state('live, screen', 'live', ['live', 'sharing'], {
    reach: async (element, signal) => {
      await wentLive('live')(element, signal);
      await element.shareScreen();
    },
  }),
  state('live, recorded', 'live', ['live', 'recording'], {
    reach: async (element, signal) => {
      await wentLive('live')(element, signal);
      sendCue('record');
      await until(() => element.recording.name === 'on', signal);
    },
  }),
  state('live, settings open', 'live', ['live'], { reach: withPanel('settings') }),
  state('live, share open', 'live', ['live'], { reach: withPanel('share') }),
  state('live, health: good', 'live', ['live'], { reach: healthOf('good') }),
  state('live, health: slow', 'live/slow', ['live'], { reach: healthOf('slow') }),
  state('live, health: lossy', 'live/lossy', ['live'], { reach: healthOf('lossy') }),
  state('live, health: busy', 'live/busy', ['live'], { reach: healthOf('busy') }),
  state('reconnecting', 'live', ['reconnecting'], { reach: afterCue('break', 'reconnecting') }),
  state('reconnecting, never live', 'reconnecting', ['reconnecting'], { reach: wentLive('reconnecting') }),
  ...refusals['stream-broadcaster'].map((code) =>
    state(`rejected: ${code}`, `rejected/${code}`, ['rejected'], { reach: wentLive('rejected') }),
  ),
  ...failures.map((code) => state(`failed: ${code}`, `failed/${code}`, ['failed'], { reach: wentLive('failed') })),
];
