import { GrantSource } from '../authorization/grant-source.js';
import type { ConnectionOptions } from '../authorization/director.js';
import { asStreamError } from '../errors.js';
import { reconnectLoop, type Attempt } from '../connection/reconnect-loop.js';
import { layerData, type LayerChoice, type VideoLayer } from './layers.js';
import { withStereo } from '../connection/peer-connections.js';
import { PhaseTarget } from '../phase-target.js';
import { runSession } from '../connection/session.js';
import { LEAVING, type SignallingConnection } from '../connection/signalling.js';
import type { StreamSource, TrackKind } from './sources.js';
import { nextViewerPhase, VIEWER_IDLE, type ViewerEvent, type ViewerPhase } from './viewer-phase.js';
import { ViewerConnection } from './viewer-connection.js';

/** What to watch. */
export interface ViewerOptions extends ConnectionOptions {
  /** The layer to begin with. Absent: the service chooses by what the network carries. */
  readonly layer?: LayerChoice | undefined;
}

const ENDED_FOR_MS = 5_000;
/** Longer than a picture takes to come; then the new connection takes over without one. */
const PICTURE_WITHIN_MS = 2_000;
const EVENTS = ['active', 'inactive', 'updated', 'layers', 'viewercount', 'stopped', 'migrate'];

/**
 * Watches one stream: waits for it, plays it, comes back after a break and when the broadcaster does.
 * It says `phasechange` whenever `phase` became another one, `sourceschange` when other sources send, and
 * `layerschange` about once a second while the video has layers to tell of.
 */
export class Viewer extends PhaseTarget<ViewerPhase, ViewerEvent> {
  #run: AbortController | undefined;
  #endedTimer: ReturnType<typeof setTimeout> | undefined;
  #viewing: ViewerConnection | undefined;
  #signalling: SignallingConnection | undefined;
  #layer: LayerChoice | 'auto' = 'auto';
  #wanted: string | null | undefined;

  constructor() {
    super(VIEWER_IDLE, nextViewerPhase);
  }

  /** Those who send on the stream's name now. */
  get sources(): readonly StreamSource[] {
    return this.#viewing?.sources ?? [];
  }

  /** What the video that is shown comes in, the largest first. */
  get layers(): readonly VideoLayer[] {
    return this.#viewing?.layers ?? [];
  }

  /** What was chosen. */
  get layer(): LayerChoice | 'auto' {
    return this.#layer;
  }

  /** Watches this now, and nothing else. */
  start(options: ViewerOptions): void {
    this.stop();
    const run = (this.#run = new AbortController());
    const admission = new GrantSource('subscribe', options);
    this.#layer = options.layer ?? 'auto';
    this.#wanted = undefined;
    this.move({ type: 'start' });
    reconnectLoop({
      signal: run.signal,
      connect: (attempt) => this.#watch(options.streamName, admission, attempt),
      onRetry: (broken) => this.move({ type: 'broke', ...broken }),
    }).catch((thrown: unknown) => this.move({ type: 'gave-up', error: asStreamError(thrown) }));
  }

  /** Closes everything. The server notices at once. */
  stop(): void {
    this.#run?.abort(LEAVING);
    this.#run = this.#viewing = this.#signalling = undefined;
    this.move({ type: 'stop' });
  }

  /**
   * Chooses the layer of the video; `'auto'` leaves it to the service again. It holds for all that comes until `start`.
   * @throws {RejectedError} the service cannot
   */
  async select(layer: LayerChoice | 'auto'): Promise<void> {
    this.#layer = layer;
    await this.#signalling?.command('select', { layer: layerData(layer) });
  }

  /**
   * Shows this source in place of the one before; null: the main one. It holds until `start`.
   * @param kinds of both, those to change
   * @throws {RejectedError} `unknown_source`: nobody sends under this id
   */
  async project(sourceId: string | null, kinds: readonly TrackKind[] = ['video', 'audio']): Promise<void> {
    const mapping = kinds.map((media) => ({ trackId: media === 'video' ? '0' : '1', media }));
    await this.#signalling?.command('project', { sourceId, mapping });
    this.#wanted = sourceId;
    this.#viewing?.show(sourceId);
  }

  /** Figures of the session's connection (W3C webrtc-stats); undefined: there is none. */
  async getStats(): Promise<RTCStatsReport | undefined> {
    return this.#viewing?.peer.getStats();
  }

  #watch(streamId: string, admission: GrantSource, attempt: Attempt): Promise<never> {
    let viewing: ViewerConnection;

    return runSession(
      {
        admission,
        openPeer: () => (viewing = new ViewerConnection()).peer,
        shapeOffer: withStereo,
        command: {
          name: 'view',
          data: {
            streamId,
            events: EVENTS,
            layer: this.#layer === 'auto' ? undefined : layerData(this.#layer),
            pinnedSourceId: this.#wanted ?? undefined,
          },
        },
        onAdmitted: () => this.move({ type: 'admitted' }),
        onAnswer: (signalling) => (this.#signalling = signalling),
        onEvent: (name, data) => {
          viewing.handleEvent(name, data, this.#wanted);
          if (!attempt.isStandby) this.#tell(viewing, name);
        },
        onMigrate: () => attempt.migrate(),
        onConnected: async () => {
          // The picture that is there plays on until there is another.
          if (attempt.isStandby && viewing.live) await viewing.firstMedia(PICTURE_WITHIN_MS);
          if (attempt.signal.aborted) return;
          attempt.connected();
          this.#viewing = viewing;
          this.move({ type: 'connected', live: viewing.live });
          this.dispatchEvent(new Event('sourceschange'));
        },
      },
      attempt.signal,
    );
  }

  #tell(viewing: ViewerConnection, name: string): void {
    this.#viewing = viewing;
    const { live, viewers } = viewing;
    if (name === 'active' || name === 'updated' || name === 'inactive') {
      this.move(live ? { type: 'active', ...live } : { type: 'inactive' });
      this.dispatchEvent(new Event('sourceschange'));
    }
    if (name === 'viewercount' && viewers !== undefined) this.move({ type: 'viewercount', viewers });
    if (name === 'layers') this.dispatchEvent(new Event('layerschange'));
  }

  protected override move(event: ViewerEvent): void {
    const before = this.phase;
    super.move(event);
    if (this.phase === before) return;
    clearTimeout(this.#endedTimer);
    if (this.phase.name === 'ended') this.#endedTimer = setTimeout(() => this.move({ type: 'settled' }), ENDED_FOR_MS);
  }
}
