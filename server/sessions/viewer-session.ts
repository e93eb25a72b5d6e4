import type { ViewerReport } from '../../src/wire/websocket/viewer-report.js';
import type { DeviceClass } from '../../src/wire/management/session.js';
import { MediaError } from '../media/engine/media-error.js';
import type { NetworkState } from '../media/engine/media-figures.js';
import type {
  LayerChoice,
  OfferedViewing,
  Projection,
  ViewingSession,
  ViewOptions,
} from '../media/engine/media-session.js';
import type { SourceId } from '../media/engine/media-track.js';
import { layersEvent } from '../streams/stream-event-factory.js';
import type { Viewer } from '../streams/member.js';
import type { StreamEvent } from '../streams/stream-event.js';
import { SessionError } from './session-error.js';
import { Session } from './session.js';
import { ShownSources } from './shown-sources.js';

/** What a viewer is told of its media. */
export interface ViewDescription {
  /** An offer: media flows after `accept`. */
  readonly type: 'answer' | 'offer';
  readonly sdp: string;
}

export interface ViewerSessionOptions extends ViewOptions {
  /** Whether the client can answer an offer of the server. */
  readonly takesOffer?: boolean | undefined;
}

/** A viewer. After `view` it watches the stream, or waits for the stream to start. */
export class ViewerSession extends Session<ViewingSession | OfferedViewing> implements Viewer {
  readonly role = 'Subscribe';
  #reachable = false;
  #shown: ShownSources | undefined;
  #hasEvents = false;
  /** Aborts when the session ends. */
  readonly #ending = new AbortController();

  get reachable(): boolean {
    return this.#reachable;
  }

  /**
   * Connects the media. Some engines have no answer before the stream is live: the client is told that it waits.
   * @throws {SessionError} `already_connected`, `session_ended` @throws {MediaError} see `MediaEngine.view`
   */
  async view(offer: string, { takesOffer = false, ...options }: ViewerSessionOptions = {}): Promise<ViewDescription> {
    const { engine, capabilitiesOf, streams } = this.context;
    const { answersWaiting, offerFrom } = capabilitiesOf(this.streamId);
    const media = await this.connect<ViewingSession | OfferedViewing>(undefined, async () => {
      if (takesOffer && offerFrom === 'server') return await engine.offer!(this.streamId, offer, options);
      if (answersWaiting) return await engine.view(this.streamId, offer, options);
      if (!streams.stateOf(this.streamId).live) this.#wait();
      return await engine.view(this.streamId, offer, { ...options, signal: this.#ending.signal });
    });
    this.#shown = new ShownSources(media.mids, options);
    const { resumes } = this.grant;
    if (resumes !== null) this.context.observer.resumed(resumes);
    return 'offer' in media ? { type: 'offer', sdp: media.offer } : { type: 'answer', sdp: media.answer };
  }

  /**
   * Answers the offer of the server.
   * @throws {SessionError} `not_connected`, `session_ended` @throws {MediaError} see `OfferedViewing.accept`
   */
  async accept(answer: string): Promise<void> {
    const { media } = this;
    if (!('accept' in media)) throw new SessionError('not_connected', 'the server made no offer in this session');
    await media.accept(answer);
  }

  override async renew(offer: string): Promise<string> {
    const { media } = this;
    if ('renew' in media) return await media.renew(offer);
    throw new MediaError('engine_unsupported', 'this session cannot move to another network path: open another one');
  }

  /** The seconds between two reports of the viewer. Undefined: none are wanted. */
  get reportSeconds(): number | undefined {
    return this.context.reportSeconds;
  }

  /** What the visitor saw. */
  report(report: ViewerReport, device: DeviceClass): void {
    if (this.reportSeconds !== undefined && !this.ended) this.context.observer.reported(this, report, device);
  }

  /** By the receiver reports of a client that sends no reports of its own. */
  networkReported({ packets, lost, roundTripMs }: NetworkState): void {
    const roundTrip = roundTripMs === undefined ? undefined : roundTripMs / 1000;
    this.report({ packets: Math.max(0, packets - lost), lost, roundTrip }, 'unknown');
  }

  /** Sends everything that is true of the stream, and from now on every change. */
  startEvents(): void {
    if (this.ended || this.#hasEvents) return;
    this.#hasEvents = true;
    this.context.streams.join(this.streamId, this);
  }

  /** From now on the client has events, such as that the stream began on another server. */
  #wait(): void {
    this.startEvents();
    this.context.observer.waiting(this);
    this.context.streams.sendWaiting(this.streamId, this);
  }

  override send(event: StreamEvent): void {
    if (event.name !== 'layers-measured') return this.sendToClient(event);
    const shown = this.#shown?.visible([...event.layers.keys()]);
    if (shown && shown.size > 0) this.sendToClient(layersEvent(event, shown));
  }

  /** The viewer counts only while media reaches it. */
  override reachabilityChanged(reachable: boolean): void {
    this.#reachable = reachable;
    this.context.streams.reachabilityChanged(this.streamId, this);
  }

  /** The video of these m-lines is paused, and no other. */
  videoPaused(mediaIds: readonly string[]): void {
    this.context.streams.sendPaused(this.streamId, this, mediaIds);
  }

  /** Selects a layer of the main video. `{}` lets the engine select. @throws {SessionError} @throws {MediaError} */
  async select(layer: LayerChoice): Promise<void> {
    await this.media.select(layer);
  }

  /** Shows a source on m-lines of the viewer; see `ViewingSession.project`. @throws {SessionError} @throws {MediaError} */
  async project(sourceId: SourceId | undefined, projections: readonly Projection[]): Promise<void> {
    await this.media.project(sourceId, projections);
    this.#shown?.project(sourceId, projections);
  }

  /** @throws {SessionError} @throws {MediaError} */
  async unproject(mediaIds: readonly string[]): Promise<void> {
    await this.media.unproject(mediaIds);
    this.#shown?.unproject(mediaIds);
  }

  protected override leaveStream(): void {
    this.#ending.abort(new SessionError('session_ended', 'the session ended before its media was connected'));
    this.context.streams.leave(this.streamId, this);
  }
}
