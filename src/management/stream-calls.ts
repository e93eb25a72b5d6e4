import { streamStopped, type StoppingLevel } from '../wire/management/stream-stop.js';
import type { ManagementConnection } from './management-connection.js';

/** The calls for broadcasts. Each throws {@link ManagementError}. */
export class StreamCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
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
