import { FairPlaces } from '../../../addresses/fair-places.js';
import type { IceTcpConnection } from './ice-tcp-connection.js';

export interface IceTcpPlaceLimits {
  /** Connections that the engine has answered. With one more, the network that has the most loses its oldest. */
  readonly answered: number;
  /** Of these, those of one session. With one more, the session loses its oldest. */
  readonly ofSession: number;
  /** Connections that the engine has not answered: it answers sessions only. With one more, as for those answered. */
  readonly waiting: number;
}

/** The places of ICE-TCP connections. Whoever loses theirs is closed: nobody's many connections keep others out. */
export class IceTcpPlaces {
  readonly #limits: IceTcpPlaceLimits;
  readonly #waiting: FairPlaces<IceTcpConnection>;
  readonly #answered: FairPlaces<IceTcpConnection>;
  /** Those that are answered, the oldest first. */
  readonly #bySession = new Map<string, Set<IceTcpConnection>>();
  readonly #sessionOf = new Map<IceTcpConnection, string>();

  constructor(limits: IceTcpPlaceLimits) {
    this.#limits = limits;
    this.#waiting = new FairPlaces(limits.waiting);
    this.#answered = new FairPlaces(limits.answered);
  }

  /** @param address in canonical form; empty: unknown */
  accepted(connection: IceTcpConnection, address: string): void {
    this.#end(this.#waiting.take(address, connection));
  }

  answered(connection: IceTcpConnection, address: string, session: string): void {
    this.release(connection);
    const ofSession = this.#bySession.get(session) ?? new Set();
    this.#bySession.set(session, ofSession.add(connection));
    this.#sessionOf.set(connection, session);
    if (ofSession.size > this.#limits.ofSession) this.#end(ofSession.values().next().value);
    this.#end(this.#answered.take(address, connection));
  }

  /** It is closed, or loses its place. */
  release(connection: IceTcpConnection): void {
    this.#waiting.release(connection);
    this.#answered.release(connection);
    const session = this.#sessionOf.get(connection);
    if (session === undefined) return;
    this.#sessionOf.delete(connection);
    const ofSession = this.#bySession.get(session)!;
    ofSession.delete(connection);
    if (ofSession.size === 0) this.#bySession.delete(session);
  }

  /** Closes all. */
  close(): void {
    for (const connection of [...this.#waiting.holders(), ...this.#answered.holders()]) connection.close();
  }

  #end(loser: IceTcpConnection | undefined): void {
    if (!loser) return;
    this.release(loser);
    loser.close();
  }
}
