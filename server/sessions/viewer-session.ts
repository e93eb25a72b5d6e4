import type { LayerChoice, Projection, SourceId, ViewingSession, ViewOptions } from '../media/media-engine.js';
import { layersEvent } from '../streams/layer-report.js';
import type { Viewer } from '../streams/member.js';
import type { StreamEvent } from '../streams/stream-event.js';
import { Session } from './session.js';
import { ShownSources } from './shown-sources.js';

/** A viewer. From `view` on they watch, or wait for the stream to begin. */
export class ViewerSession extends Session<ViewingSession> implements Viewer {
  readonly role = 'Subscribe';
  #reachable = false;
  #shown: ShownSources | undefined;

  get reachable(): boolean {
    return this.#reachable;
  }

  /**
   * Connects the media.
   * @returns the SDP answer
   * @throws {SessionError} `already_connected`, `session_ended` @throws {MediaError} see `MediaEngine.view`
   */
  async view(offer: string, options: ViewOptions = {}): Promise<string> {
    const { answer, mids } = await this.connect(undefined, () =>
      this.context.engine.view(this.streamId, offer, options),
    );
    this.#shown = new ShownSources(mids, options);
    this.#takePlace();
    return answer;
  }

  /**
   * The line hears everything that is true of the stream, and then what changes. Again, where the line lost what it
   * was told.
   */
  startEvents(): void {
    if (!this.ended) this.context.streams.join(this.streamId, this);
  }

  override tell(news: StreamEvent): void {
    if (news.name !== 'measured') return this.sendToClient(news);
    const shown = this.#shown?.visible([...news.layers.keys()]);
    if (shown && shown.size > 0) this.sendToClient(layersEvent(news, shown));
  }

  /** Media gets through, or no longer: the viewer counts as long as it does. */
  override reachabilityChanged(reachable: boolean): void {
    this.#reachable = reachable;
    this.context.streams.reachabilityChanged(this.streamId, this);
  }

  /** Chooses a layer of the main video; `{}` leaves the choice to the engine again. @throws {SessionError} @throws {MediaError} */
  async select(layer: LayerChoice): Promise<void> {
    await this.media.select(layer);
  }

  /** Shows a source on m-lines of the viewer's; see `ViewingSession.project`. @throws {SessionError} @throws {MediaError} */
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
    this.context.streams.leave(this.streamId, this);
  }

  /** The session that this one resumes may not have noticed yet that its client is gone. The viewer must not count twice. */
  #takePlace(): void {
    const { resumes } = this.grant;
    if (resumes !== null) this.context.find(resumes)?.stop('replaced');
  }
}
