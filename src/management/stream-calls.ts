import { liveStreamList, type LiveStreamBody } from '../wire/management/live-stream.js';
import { streamStopped, type StoppingLevel } from '../wire/management/stream-stop.js';
import type { ManagementConnection } from './management-connection.js';

export interface StillOptions {
  /** Absent: the main source. */
  readonly sourceId?: string | undefined;
  /** Absent: WebP or MP4, without decoding. */
  readonly format?: 'jpeg' | undefined;
  /** Aborts the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** The calls for broadcasts. Each throws {@link ManagementError}. */
export class StreamCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The streams of the account that are live now, by name. */
  async live(): Promise<readonly LiveStreamBody[]> {
    return (await this.#connection.call(liveStreamList, { method: 'GET', path: '/api/live' })).data;
  }

  /**
   * A picture of a live stream, at most five seconds old: a WebP image, or an MP4 file with one frame for a `<video>`,
   * or JPEG if that is asked for.
   * Each new one has the broadcaster make a keyframe, so ask no more often than you show one.
   * @throws {ManagementError} `still_unavailable`: the stream sends no video now; `jpeg_unavailable`: the server has no
   *   ffmpeg
   */
  async still(streamName: string, { sourceId, format, signal }: StillOptions = {}): Promise<Blob> {
    const path = `/api/streams/${encodeURIComponent(streamName)}/still`;
    return await this.#connection.file({ path, query: { sourceId, format }, signal });
  }

  /**
   * Ends the broadcast of `account/name`. Its publisher may start again, unless the token is disabled first.
   *
   * @returns `None` if nothing was live
   */
  async stop(streamId: string): Promise<StoppingLevel> {
    const request = { method: 'POST', path: '/api/stream/stop', body: { streamId } } as const;
    return (await this.#connection.call(streamStopped, request)).data.stoppingLevel;
  }

  /** Ends every broadcast of the account. */
  async stopAll(): Promise<StoppingLevel> {
    const request = { method: 'POST', path: '/api/stream/stop/all' } as const;
    return (await this.#connection.call(streamStopped, request)).data.stoppingLevel;
  }
}
