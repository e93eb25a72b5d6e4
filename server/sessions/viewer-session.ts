import type { ViewerReport } from '../../src/wire/websocket/viewer-report.js';
import type { DeviceClass } from '../../src/wire/management/session.js';
import type {
  LayerChoice,
  NetworkState,
  Projection,
  SourceId,
  ViewingSession,
  ViewOptions,
} from '../media/media-engine.js';
import { layersEvent } from '../streams/stream-event-factory.js';
import type { Viewer } from '../streams/member.js';
import type { StreamEvent } from '../streams/stream-event.js';
import { SessionError } from './session-error.js';
import { Session } from './session.js';
import { ShownSources } from './shown-sources.js';

/** A viewer. After `view` it watches the stream, or waits for the stream to start. */
export class ViewerSession extends Session<ViewingSession> implements Viewer {
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
   * @returns the SDP answer
   * @throws {SessionError} `already_connected`, `session_ended` @throws {MediaError} see `MediaEngine.view`
   */
  async view(offer: string, options: ViewOptions = {}): Promise<string> {
    const { engine, capabilitiesOf, streams } = this.context;
    const { answer, mids } = await this.connect(undefined, async () => {
      if (capabilitiesOf(this.streamId).answersWaiting) return await engine.view(this.streamId, offer, options);
      if (!streams.stateOf(this.streamId).live) this.#wait();
      return await engine.view(this.streamId, offer, { ...options, signal: this.#ending.signal });
    });
    this.#shown = new ShownSources(mids, options);
    const { resumes } = this.grant;
    if (resumes !== null) this.context.observer.resumed(resumes);
    return answer;
  }

  override renew(offer: string): Promise<string> {
    return this.media.renew(offer);
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
  async project(sourceId: SourceId, projections: readonly Projection[]): Promise<void> {
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
