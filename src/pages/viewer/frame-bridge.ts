import { RejectedError, type StreamError } from '../../client/errors.js';
import type { StreamViewerElement } from '../../elements/viewer/stream-viewer-element.js';
import { MESSAGE_SOURCE, type FrameCommand, type FrameEvent, type FrameState } from '../../frame/frame-message.js';
import { readFrameCommand, readParentOrigin, refused } from './frame-command.js';

/** Tells the page around this one what happens in the player, and does what that page asks. */
export function bridgeToParent(viewer: StreamViewerElement, url: URL): void {
  const { parent } = window;
  const parentOrigin = readParentOrigin(url);
  if (parent === window || parentOrigin === undefined) return;

  // Whoever comes after the page around has not asked for this one, and would hear its last words.
  let isLeaving = false;
  window.addEventListener('pagehide', () => (isLeaving = true));
  window.addEventListener('pageshow', () => (isLeaving = false));

  const post = (message: FrameEvent): void => {
    if (!isLeaving) parent.postMessage({ source: MESSAGE_SOURCE, ...message }, parentOrigin);
  };
  let told = '';
  let previous: FrameState['phase'] = 'idle';
  const tellState = (): void => {
    const state = stateOf(viewer);
    const text = JSON.stringify(state);
    if (text === told) return;
    told = text;
    post({ type: 'state', ...state });
    const { phase: current } = state;
    if (current === previous) return;
    post({ type: 'phase-change', previous, current });
    previous = current;
  };
  /** So that whoever hears of something sees the state that goes with it. */
  const tell = (message: FrameEvent): void => {
    tellState();
    post(message);
  };

  viewer.addController({ hostUpdated: tellState });
  viewer.addEventListener('stream-live', ({ streamName }) => tell({ type: 'live', streamName }));
  viewer.addEventListener('stream-ended', ({ streamName }) => tell({ type: 'ended', streamName }));
  viewer.addEventListener('stream-waiting', ({ streamName }) => tell({ type: 'waiting', streamName }));
  viewer.addEventListener('stream-rejected', ({ reason, message, retryable }) =>
    tell({ type: 'rejected', reason, message, retryable }),
  );
  viewer.addEventListener('stream-error', ({ error: { code, message, retryable }, retrying, retryInMs }) =>
    tell({ type: 'error', code, message, retryable, retrying, retryInMs }),
  );
  viewer.addEventListener('stream-viewer-count', ({ viewers }) => tell({ type: 'viewer-count', viewers }));
  viewer.addEventListener('play', () => tell({ type: 'play' }));
  viewer.addEventListener('pause', () => tell({ type: 'pause' }));
  viewer.addEventListener('volumechange', () => tell({ type: 'volume', volume: viewer.volume, muted: viewer.muted }));

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || (parentOrigin !== '*' && origin !== parentOrigin)) return;
    const command = readFrameCommand(data);
    if (!command) return;
    if (command.type === 'command-error') return post(command);
    if (command.type === 'requestState') return post({ type: 'state', ...stateOf(viewer) });
    carryOut(command, viewer).catch(() =>
      post(refused(command.type, 'click_needed', 'The browser wants a click in this frame or in the page around it')),
    );
  });
}

function stateOf({ streamName, phase, paused, muted, volume }: StreamViewerElement): FrameState {
  const state = { streamName, phase: phase.name, paused, muted, volume };
  switch (phase.name) {
    case 'live':
      return { ...state, viewers: phase.viewers };
    case 'rejected':
      return { ...state, reason: phase.reason, message: phase.message };
    case 'reconnecting':
      return { ...state, ...wordOf(phase.error), retryInMs: phase.retryInMs };
    case 'failed':
      return { ...state, ...wordOf(phase.error) };
    default:
      return state;
  }
}

const wordOf = (error: StreamError): Pick<FrameState, 'reason' | 'message'> => ({
  reason: error instanceof RejectedError ? error.reason : error.code,
  message: error.message,
});

/** @throws the browser wants a click first */
async function carryOut(command: FrameCommand, viewer: StreamViewerElement): Promise<void> {
  switch (command.type) {
    case 'play':
      return viewer.play();
    case 'pause':
      return viewer.pause();
    case 'mute':
      viewer.muted = true;
      return;
    case 'unmute':
      return unmute(viewer);
    case 'setVolume':
      viewer.volume = command.volume;
  }
}

/** A browser that lets nothing be heard stops the picture at that; played again, it goes on without sound. */
async function unmute(viewer: StreamViewerElement): Promise<void> {
  const isPlaying = !viewer.paused;
  viewer.muted = false;
  if (isPlaying) await viewer.play();
  if (viewer.muted) throw new DOMException('There was no click yet', 'NotAllowedError');
}
