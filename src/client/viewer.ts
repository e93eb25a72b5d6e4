import { activeEvent, viewerCountEvent } from '../wire/stream-event.js';
import type { Access } from './authorize.js';
import { asStreamError } from './errors.js';
import { keepConnected } from './keep-connected.js';
import { keepKinds, viewerPeer, withStereo } from './peers.js';
import { PhaseTarget } from './phase-target.js';
import { runSession } from './session.js';
import { nextViewerPhase, VIEWER_IDLE, type ViewerEvent, type ViewerPhase } from './viewer-phase.js';

/** What to watch. */
export type ViewerOptions = Access;

const ENDED_FOR_MS = 5_000;
const EVENTS = ['active', 'inactive', 'viewercount', 'stopped'];

/**
 * Watches one stream: waits for it, plays it, comes back after a break and when the broadcaster does.
 * It says `phasechange` whenever `phase` became another one.
 */
export class Viewer extends PhaseTarget<ViewerPhase, ViewerEvent> {
  #run: AbortController | undefined;
  #endedTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super(VIEWER_IDLE, nextViewerPhase);
  }

  /** Watches this now, and nothing else. */
  start(options: ViewerOptions): void {
    this.stop();
    const run = (this.#run = new AbortController());
    this.move({ type: 'start' });
    keepConnected({
      signal: run.signal,
      connect: (signal, connected) => this.#watch(options, signal, connected),
      onBreak: (error, attempt) => this.move({ type: 'broke', error, attempt }),
    }).catch((thrown: unknown) => this.move({ type: 'gave-up', error: asStreamError(thrown) }));
  }

  /** Closes everything. The server notices at once. */
  stop(): void {
    this.#run?.abort();
    this.#run = undefined;
    this.move({ type: 'stop' });
  }

  #watch(access: ViewerOptions, signal: AbortSignal, connected: () => void): Promise<never> {
    let peer: RTCPeerConnection;
    let media: MediaStream;
    let isActive = false;
    let viewers: number | undefined;

    return runSession(
      {
        role: 'subscribe',
        access,
        openPeer: () => {
          peer = viewerPeer();
          media = new MediaStream();
          return peer;
        },
        shapeOffer: withStereo,
        command: { name: 'view', data: { streamId: access.streamName, events: EVENTS } },
        onAdmitted: () => this.move({ type: 'admitted' }),
        onEvent: (name, data) => {
          if (name === 'active') {
            const { tracks } = activeEvent.safeParse(data).data ?? {};
            keepKinds(peer, media, tracks?.map((track) => track.media) ?? ['audio', 'video']);
            isActive = true;
            this.move({ type: 'active', media, viewers });
          } else if (name === 'inactive') {
            isActive = false;
            this.move({ type: 'inactive' });
          } else if (name === 'viewercount') {
            viewers = viewerCountEvent.safeParse(data).data?.viewercount ?? viewers;
            if (viewers !== undefined) this.move({ type: 'viewercount', viewers });
          }
        },
        onConnected: () => {
          connected();
          this.move({ type: 'connected', live: isActive ? { media, viewers } : undefined });
        },
      },
      signal,
    );
  }

  protected override move(event: ViewerEvent): void {
    const before = this.phase;
    super.move(event);
    if (this.phase === before) return;
    clearTimeout(this.#endedTimer);
    if (this.phase.name === 'ended') this.#endedTimer = setTimeout(() => this.move({ type: 'settled' }), ENDED_FOR_MS);
  }
}
