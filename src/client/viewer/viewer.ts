import type { ConnectionOptions } from '../authorization/director.js';
import { GrantSource } from '../authorization/grant-source.js';
import { withStereo } from '../connection/peer-connections.js';
import { reconnectLoop, type Attempt } from '../connection/reconnect-loop.js';
import { runSession } from '../connection/session.js';
import { LEAVING, type SignallingConnection } from '../connection/signalling.js';
import { asStreamError } from '../errors.js';
import { PhaseTarget } from '../phase.js';
import { layerData, type LayerChoice, type VideoLayer } from './layers.js';
import { number } from '../unread.js';
import { captureLatency } from './capture-latency.js';
import { isSourceEvent, type StreamSource, type TrackKind } from './sources.js';
import { readEnd, ViewerConnection } from './viewer-connection.js';
import { readInboundSample, type ReportedSample } from './inbound-stats.js';
import { awaitStart } from './await-start.js';
import { nextViewerPhase, VIEWER_IDLE, type ViewerEvent, type ViewerPhase } from './viewer-phase.js';

/** The stream to watch. */
export interface ViewerOptions extends ConnectionOptions {
  /** The first layer. Absent: the server selects the layer that the network can carry. */
  readonly layer?: LayerChoice | undefined;
  /** Receives no video, which saves the bandwidth for it. */
  readonly audioOnly?: boolean | undefined;
  /** The element that plays the media. With it, the reports to the server include how long it has played. */
  readonly video?: HTMLVideoElement | undefined;
  /** Sends no reports of what the visitor sees, such as the time to the first picture and freezes. */
  readonly noReports?: boolean | undefined;
}

const ENDED_FOR_MS = 5_000;
/** After this time, a new session without a picture replaces the old one. Pictures normally arrive sooner. */
const FIRST_MEDIA_TIMEOUT_MS = 2_000;
const UNVIEW = ['unview'] as const;
const EVENTS = [
  'active',
  'inactive',
  'updated',
  'layers',
  'viewercount',
  'paused',
  'interrupted',
  'stopped',
  'migrate',
];

/**
 * Watches one stream: waits for it, plays it, and reconnects after the connection is lost.
 *
 * Events: `phasechange` (see {@link PhaseChangeEvent}) after each change of `phase`; `sourceschange` when other sources
 * publish; `layerschange` about once a second while the video has layers.
 */
export class Viewer extends PhaseTarget<ViewerPhase, ViewerEvent> {
  #run: AbortController | undefined;
  #endedTimer: ReturnType<typeof setTimeout> | undefined;
  #connection: ViewerConnection | undefined;
  #signalling: SignallingConnection | undefined;
  #layer: LayerChoice | 'auto' = 'auto';
  #sourceId: string | null | undefined;
  /** The kinds of tracks that are received. */
  #kinds: readonly TrackKind[] = [];

  constructor() {
    super(VIEWER_IDLE, nextViewerPhase);
  }

  /** The sources that publish to the stream now. */
  get sources(): readonly StreamSource[] {
    return this.#connection?.sources ?? [];
  }

  /** The layers of the current video, the largest first. */
  get layers(): readonly VideoLayer[] {
    return this.#connection?.layers ?? [];
  }

  /** The layer that was selected. */
  get layer(): LayerChoice | 'auto' {
    return this.#layer;
  }

  /**
   * The time from the camera to the screen, in seconds, by the clocks of both computers. Undefined: not known. It is known
   * where the browsers of broadcaster and viewer are Chromium.
   */
  get captureLatency(): number | undefined {
    return captureLatency(this.#connection?.peer.getReceivers() ?? []);
  }

  /** Watches this stream, and stops watching another one. */
  start(options: ViewerOptions): void {
    this.stop();
    const run = (this.#run = new AbortController());
    const grants = new GrantSource('subscribe', options);
    this.#layer = options.layer ?? 'auto';
    this.#sourceId = undefined;
    this.#kinds = options.audioOnly ? ['audio'] : ['video', 'audio'];
    const startedAt = performance.now();
    const first: { picture?: number } = {};
    options.video?.requestVideoFrameCallback?.((now) => (first.picture = Math.round(now - startedAt)));
    this.move({ type: 'start' });
    reconnectLoop({
      signal: run.signal,
      connect: (attempt) => this.#connect(options, grants, attempt, first),
      onRetry: (retry) => this.move({ type: 'lost', ...retry }),
      awaitStart: async (signal) => {
        this.move({ type: 'not-live' });
        const { streamName, accountId: streamAccountId } = options;
        const { awaitUrl } = grants;
        if (!awaitUrl) throw LEAVING;
        const onEnd = (data: unknown) => this.move({ type: 'inactive', ...readEnd(data) });
        if (await awaitStart(awaitUrl, { streamName, streamAccountId }, onEnd, signal)) this.move({ type: 'begun' });
      },
    }).catch((thrown: unknown) => this.move({ type: 'gave-up', error: asStreamError(thrown) }));
  }

  /** Closes every connection. */
  stop(): void {
    this.#run?.abort(LEAVING);
    this.#run = this.#connection = this.#signalling = undefined;
    this.move({ type: 'stop' });
  }

  /**
   * Selects a layer of the video until the next `start`, also in later sessions. `'auto'`: the server selects.
   *
   * @throws {RejectedError} the server cannot send it
   */
  async select(layer: LayerChoice | 'auto'): Promise<void> {
    this.#layer = layer;
    await this.#signalling?.command('select', { layer: layerData(layer) });
  }

  /**
   * Shows this source, until the next `start`. Null: the main source.
   *
   * @param kinds the kinds of tracks to show; the other kind does not change. Default: those that are received
   * @throws {RejectedError} `unknown_source`: the source does not publish
   */
  async project(sourceId: string | null, kinds = this.#kinds): Promise<void> {
    const mapping = kinds.map((media) => ({ trackId: media === 'video' ? '0' : '1', media }));
    await this.#signalling?.command('project', { sourceId, mapping });
    this.#sourceId = sourceId;
    this.#connection?.show(sourceId);
  }

  /**
   * Sends a command of the websocket (docs/events.md) and returns the data of its answer. Undefined: there is no session.
   *
   * @throws {RejectedError} the server refused the command
   */
  async command(name: string, data: object = {}): Promise<unknown> {
    return this.#signalling?.command(name, data);
  }

  /** The statistics of the connection (W3C webrtc-stats). Undefined: there is no connection. */
  async getStats(): Promise<RTCStatsReport | undefined> {
    return this.#connection?.peer.getStats();
  }

  #connect(
    options: ViewerOptions,
    grants: GrantSource,
    attempt: Attempt,
    first: { readonly picture?: number },
  ): Promise<never> {
    const { video } = options;
    let connection: ViewerConnection;
    /** Undefined: the server wants no reports. */
    let report: (() => object) | undefined;

    return runSession(
      {
        grants,
        openPeer: (isOffered) => (connection = new ViewerConnection(isOffered ? [] : this.#kinds)).peer,
        shapeOffer: withStereo,
        command: {
          name: 'view',
          data: {
            streamId: options.streamName,
            events: EVENTS,
            takesOffer: true,
            layer: this.#layer === 'auto' ? undefined : layerData(this.#layer),
            pinnedSourceId: this.#sourceId ?? undefined,
          },
        },
        onAdmitted: () => this.move({ type: 'admitted' }),
        onAnswer: (signalling, answer) => {
          this.#signalling = signalling;
          const seconds = number(answer, 'reportSeconds');
          if (!seconds || options.noReports) return;
          let reported: ReportedSample | undefined;
          report = () => ({ ...reported, first: first.picture, played: video && Math.round(video.currentTime * 1000) });
          const timer = setInterval(async () => {
            reported = readInboundSample(await connection.peer.getStats())?.reported;
            if (reported) void signalling.command('report', report!(), false);
          }, seconds * 1000);
          attempt.signal.addEventListener('abort', () => clearInterval(timer));
        },
        lastCommands: () => (report ? [['report', report()], UNVIEW] : [UNVIEW]),
        onEvent: (name, data) => {
          connection.handleEvent(name, data, this.#sourceId);
          if (!attempt.isStandby) this.#update(connection, name);
        },
        onMigrate: () => attempt.migrate(),
        onConnected: async () => {
          // The picture of the old session stays until the new one has a picture.
          if (attempt.isStandby && connection.live) await connection.firstMedia(FIRST_MEDIA_TIMEOUT_MS);
          if (attempt.signal.aborted) return;
          attempt.connected();
          this.#connection = connection;
          // The tracks of an offer of the server may have come after the event that there is a source.
          connection.show(this.#sourceId);
          const { live, awaited, end } = connection;
          this.move({ type: 'connected', live, awaited, end });
          this.dispatchEvent(new Event('sourceschange'));
        },
      },
      attempt.signal,
    );
  }

  /** Applies the changes of a server event to the viewer. */
  #update(connection: ViewerConnection, name: string): void {
    this.#connection = connection;
    const { live, viewers, end } = connection;
    if (isSourceEvent(name)) {
      this.move(live ? { type: 'active', ...live } : { type: 'inactive', ...end });
      this.dispatchEvent(new Event('sourceschange'));
    }
    if ((name === 'paused' || name === 'interrupted') && live) this.move({ type: 'active', ...live });
    if (name === 'viewercount' && viewers !== undefined) this.move({ type: 'viewercount', viewers });
    if (name === 'layers') this.dispatchEvent(new Event('layerschange'));
  }

  protected override move(event: ViewerEvent): void {
    const before = this.phase;
    super.move(event);
    if (this.phase === before) return;
    clearTimeout(this.#endedTimer);
    if (this.phase.name === 'ended' && !this.phase.declared) {
      this.#endedTimer = setTimeout(() => this.move({ type: 'end-shown' }), ENDED_FOR_MS);
    }
  }
}
