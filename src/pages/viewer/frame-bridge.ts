import { RejectedError, type StreamError } from '../../client/errors.js';
import type { StreamViewerElement } from '../../elements/viewer/stream-viewer-element.js';
import { MESSAGE_SOURCE, type FrameCommand, type FrameEvent, type FrameState } from '../../frame/frame-message.js';
import { readFrameCommand, readParentOrigin, refused } from './frame-command.js';

/** Sends the events of the player to the embedding page, and executes the commands of that page. */
export function bridgeToParent(viewer: StreamViewerElement, url: URL): void {
  const { parent } = window;
  const parentOrigin = readParentOrigin(url);
  if (parent === window || parentOrigin === undefined) return;

  // While the embedding page unloads, a message could reach the page that replaces it.
  let isLeaving = false;
  window.addEventListener('pagehide', () => (isLeaving = true));
  window.addEventListener('pageshow', () => (isLeaving = false));

  const post = (message: FrameEvent): void => {
    if (!isLeaving) parent.postMessage({ source: MESSAGE_SOURCE, ...message }, parentOrigin);
  };
  let lastState = '';
  let previous: FrameState['phase'] = 'idle';
  const postState = (): void => {
    const state = stateOf(viewer);
    const text = JSON.stringify(state);
    if (text === lastState) return;
    lastState = text;
    post({ type: 'state', ...state });
    const { phase: current } = state;
    if (current === previous) return;
    post({ type: 'phase-change', previous, current });
    previous = current;
  };
  /** Posts the new state before the message about its cause. */
  const postWithState = (message: FrameEvent): void => {
    postState();
    post(message);
  };

  viewer.addController({ hostUpdated: postState });
  viewer.addEventListener('stream-live', ({ streamName }) => postWithState({ type: 'live', streamName }));
  viewer.addEventListener('stream-interrupted', ({ streamName }) => postWithState({ type: 'interrupted', streamName }));
  viewer.addEventListener('stream-ended', ({ streamName, declared }) =>
    postWithState({ type: 'ended', streamName, declared }),
  );
  viewer.addEventListener('stream-waiting', ({ streamName }) => postWithState({ type: 'waiting', streamName }));
  viewer.addEventListener('stream-rejected', ({ reason, message, retryable }) =>
    postWithState({ type: 'rejected', reason, message, retryable }),
  );
  viewer.addEventListener('stream-error', ({ error: { code, message, retryable }, retrying, retryInMs }) =>
    postWithState({ type: 'error', code, message, retryable, retrying, retryInMs }),
  );
  viewer.addEventListener('stream-viewer-count', ({ viewers }) => postWithState({ type: 'viewer-count', viewers }));
  viewer.addEventListener('play', () => postWithState({ type: 'play' }));
  viewer.addEventListener('pause', () => postWithState({ type: 'pause' }));
  viewer.addEventListener('volumechange', () =>
    postWithState({ type: 'volume', volume: viewer.volume, muted: viewer.muted }),
  );

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || (parentOrigin !== '*' && origin !== parentOrigin)) return;
    const command = readFrameCommand(data);
    if (!command) return;
    if (command.type === 'command-error') return post(command);
    if (command.type === 'requestState') return post({ type: 'state', ...stateOf(viewer) });
    execute(command, viewer).catch(() =>
      post(refused(command.type, 'click_needed', 'The browser needs a click in this frame or in the embedding page')),
    );
  });
}

function stateOf({ streamName, phase, paused, muted, volume }: StreamViewerElement): FrameState {
  const state = { streamName, phase: phase.name, paused, muted, volume };
  switch (phase.name) {
    case 'live':
      return { ...state, viewers: phase.viewers, interrupted: phase.interrupted ?? false };
    case 'rejected':
      return { ...state, reason: phase.reason, message: phase.message };
    case 'reconnecting':
      return { ...state, ...reasonOf(phase.error), retryInMs: phase.retryInMs };
    case 'failed':
      return { ...state, ...reasonOf(phase.error) };
    default:
      return state;
  }
}

const reasonOf = (error: StreamError): Pick<FrameState, 'reason' | 'message'> => ({
  reason: error instanceof RejectedError ? error.reason : error.code,
  message: error.message,
});

/** @throws {DOMException} `NotAllowedError`: the browser needs a click first */
async function execute(command: FrameCommand, viewer: StreamViewerElement): Promise<void> {
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
    case 'retry':
      return viewer.retry();
    case 'setVolume':
      viewer.volume = command.volume;
  }
}

/** A browser that blocks sound pauses an unmuted video. `play()` then continues it without sound. */
async function unmute(viewer: StreamViewerElement): Promise<void> {
  const isPlaying = !viewer.paused;
  viewer.muted = false;
  if (isPlaying) await viewer.play();
  if (viewer.muted) throw new DOMException('There was no click yet', 'NotAllowedError');
}
