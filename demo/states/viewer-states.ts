import type { StreamErrorCode } from '../../src/client/errors.js';
import type { StreamViewerElement } from '../../src/elements/viewer/stream-viewer-element.js';
import { sendCue, type Cue } from '../simulation/cues.js';
import { refusals } from '../simulation/refusals.js';
import { until, type State } from './state.js';

type Viewed = State<StreamViewerElement>;
type Reach = NonNullable<Viewed['reach']>;

const state = (name: string, scenario: string, states: readonly string[], more: Partial<Viewed> = {}): Viewed => ({
  tag: 'stream-viewer',
  name,
  scenario,
  states,
  ...more,
});

const inside = (viewer: HTMLElement, selectors: string): HTMLElement | null =>
  viewer.shadowRoot!.querySelector<HTMLElement>(selectors);

/** Waits until the video plays. */
const playing: Reach = async (viewer, signal) => {
  await until(() => viewer.videoWidth > 0 && viewer.currentTime > 0, signal);
  await until(() => inside(viewer, '.spinner') === null, signal);
};

/** Waits until the sound plays. */
const sounding: Reach = (viewer, signal) => until(() => viewer.currentTime > 0, signal);

const after =
  (name: Cue): Reach =>
  async (viewer, signal) => {
    await playing(viewer, signal);
    sendCue(name);
  };

const pressed =
  (...parts: string[]): Reach =>
  async (viewer, signal) => {
    await playing(viewer, signal);
    for (const part of parts) {
      await until(() => inside(viewer, part) !== null, signal);
      inside(viewer, part)!.click();
      await viewer.updateComplete;
    }
  };

/** Simulates a browser that blocks autoplay until the first click. */
async function withBlockedAutoplay(
  viewer: StreamViewerElement,
  blocks: (video: HTMLVideoElement) => boolean,
  signal: AbortSignal,
): Promise<void> {
  await viewer.updateComplete;
  const video = viewer.shadowRoot!.querySelector('video')!;
  const play = video.play.bind(video);
  video.play = () => (blocks(video) ? Promise.reject(new DOMException('not yet', 'NotAllowedError')) : play());
  await until(() => viewer.phase.name === 'live', signal);
}

const soundBlocked: Reach = async (viewer, signal) => {
  await withBlockedAutoplay(viewer, ({ muted }) => !muted, signal);
  await playing(viewer, signal);
  await until(() => inside(viewer, '.unmute') !== null, signal);
};

const failures: readonly StreamErrorCode[] = ['malformed_answer', 'webrtc_missing', 'token_unavailable', 'unexpected'];

/** A poster: a drawing of a landscape. */
const POSTER = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><defs><linearGradient id="a" x2="0" y2="1"><stop stop-color="#274060"/><stop offset="1" stop-color="#e08e45"/></linearGradient></defs><path fill="url(#a)" d="M0 0h16v9H0z"/><circle cx="11.5" cy="5.5" r="1.3" fill="#ffe0a3"/><path fill="#1b2d45" d="M0 9V7l3-2 3 2 3-3 4 3 3-1v3z"/></svg>',
)}`;

/** Every state of <stream-viewer> with a different appearance. */
export const viewerStates: readonly Viewed[] = [
  state('no stream chosen', 'live', ['idle'], { properties: { streamName: '' } }),
  state('no access', 'live', ['idle'], { properties: { accountId: '', token: '' } }),
  state('idle, with the play overlay', 'live', ['idle', 'paused'], { properties: { autoplay: false } }),
  state('idle, with a poster', 'live', ['idle', 'paused'], { properties: { autoplay: false, poster: POSTER } }),
  state('authorizing', 'authorizing', ['authorizing']),
  state('connecting', 'connecting', ['connecting']),
  state('connecting, with a poster', 'connecting', ['connecting'], { properties: { poster: POSTER } }),
  state('waiting', 'waiting', ['waiting']),
  state('live, with sound', 'live', ['live'], { reach: playing }),
  state('live, muted', 'live', ['live', 'muted'], { properties: { muted: true }, reach: playing }),
  state('live, stream without sound', 'live/silent', ['live'], { reach: playing }),
  state('live, sound alone', 'live', ['live'], { properties: { audioOnly: true }, reach: sounding }),
  state('live, sound alone, with a poster', 'live', ['live'], {
    properties: { audioOnly: true, poster: POSTER },
    reach: sounding,
  }),
  state('live, without controls', 'live', ['live'], { properties: { controls: false }, reach: playing }),
  state('live, user inactive', 'live', ['live', 'user-inactive'], { reach: playing }),
  state('live, settings open', 'live', ['live'], {
    reach: async (viewer, signal) => {
      await pressed('.settings button')(viewer, signal);
      await until(() => inside(viewer, '.settings .panel') !== null, signal);
    },
  }),
  state('live, statistics open', 'live', ['live'], {
    reach: async (viewer, signal) => {
      await pressed('.settings button', '.settings [type=checkbox]', '.settings button')(viewer, signal);
      await until(() => (inside(viewer, 'dl')?.textContent ?? '').includes('720'), signal);
    },
  }),
  state('live, sound blocked before a click', 'live', ['live', 'muted'], { reach: soundBlocked }),
  state('live, sound blocked before a click, without controls', 'live', ['live', 'muted'], {
    properties: { controls: false },
    reach: soundBlocked,
  }),
  state('live, autoplay blocked before a click', 'live', ['live', 'muted', 'paused'], {
    reach: async (viewer, signal) => {
      await withBlockedAutoplay(viewer, () => true, signal);
      await until(() => inside(viewer, '.play-overlay') !== null, signal);
    },
  }),
  state('paused', 'live', ['live', 'paused'], { reach: pressed('.play') }),
  state('video paused by a slow network', 'live', ['live', 'video-paused'], { reach: after('slow') }),
  state('broadcaster lost, over the last picture', 'live', ['live', 'interrupted'], { reach: after('interrupt') }),
  state('stopped, and may start again', 'live', ['ended'], { reach: after('end') }),
  state('ended by the broadcaster', 'live', ['ended'], { reach: after('stop') }),
  state('reconnecting, over the last picture', 'live', ['reconnecting'], { reach: after('break') }),
  state('reconnecting, no answer', 'reconnecting', ['reconnecting']),
  state('reconnecting, no media', 'reconnecting/media_lost', ['reconnecting']),
  ...refusals['stream-viewer'].map((code) => state(`rejected: ${code}`, `rejected/${code}`, ['rejected'])),
  ...failures.map((code) => state(`failed: ${code}`, `failed/${code}`, ['failed'])),
];
