import { ServerStoppingError } from '../errors.js';

/** Whether this server opens new sessions. It is shut once, when the server stops. */
export class Entrance {
  #shutSince: number | undefined;

  /** Milliseconds since 1970. Undefined: it is open. */
  get shutSince(): number | undefined {
    return this.#shutSince;
  }

  shut(time: number): void {
    this.#shutSince ??= time;
  }

  /** Call before a session is opened for a client. @throws {ServerStoppingError} */
  requireOpen(): void {
    if (this.#shutSince !== undefined) throw new ServerStoppingError();
  }
}
