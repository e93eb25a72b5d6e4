import type { LayerChoice, Projection, SourceId, ViewingSession, ViewOptions } from '../media/media-engine.js';
import type { Viewer } from '../streams/member.js';
import { Session } from './session.js';

/** A viewer. From `view` on it watches, or waits for the stream to begin. */
export class ViewerSession extends Session<ViewingSession> implements Viewer {
  readonly role = 'Subscribe';

  /**
   * Connects the media.
   * @returns the SDP answer
   * @throws {SessionError} `already_connected`, `session_ended` @throws {MediaError} see `MediaEngine.view`
   */
  async view(offer: string, options: ViewOptions = {}): Promise<string> {
    const { answer } = await this.connect(() => this.context.engine.view(this.streamId, offer, options));
    return answer;
  }

  /** Counts as a viewer from now on; the line hears everything that is true of the stream, and then what changes. */
  attend(): void {
    this.context.streams.join(this.streamId, this);
  }

  /** Chooses a layer of the main video; `{}` leaves the choice to the engine again. @throws {SessionError} @throws {MediaError} */
  select(layer: LayerChoice): Promise<void> {
    return this.media.select(layer);
  }

  /** Shows a source on m-lines of the viewer's; see `ViewingSession.project`. @throws {SessionError} @throws {MediaError} */
  project(sourceId: SourceId, projections: readonly Projection[]): Promise<void> {
    return this.media.project(sourceId, projections);
  }

  unproject(mediaIds: readonly string[]): Promise<void> {
    return this.media.unproject(mediaIds);
  }

  protected override depart(): void {
    this.context.streams.leave(this.streamId, this);
  }
}
