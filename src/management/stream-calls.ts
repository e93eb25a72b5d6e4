import { liveStreamList, type LiveStreamBody } from '../wire/management/live-stream.js';
import { streamStopped, type StoppingLevel } from '../wire/management/stream-stop.js';
import type { ManagementConnection } from './management-connection.js';

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
