import type { Granted } from './authorize.js';
import type { StreamError } from './errors.js';
import { openSignalling, type Signalling, type SignallingOptions } from './signalling.js';

/**
 * A websocket that is opened while its grant is still asked for, which saves the time of a handshake. Where it cannot
 * be had, or leads elsewhere than the grant does, nobody learns that it was tried.
 */
export class EarlySignalling {
  readonly #url: string;
  readonly #life = new AbortController();
  /** Undefined: it cannot be had. */
  readonly #opening: Promise<Signalling | undefined>;
  #onLost: (error: StreamError) => void = () => {};

  constructor(url: string, options: Omit<SignallingOptions, 'onLost'>) {
    this.#url = url;
    const signal = AbortSignal.any([options.signal, this.#life.signal]);
    this.#opening = new Promise<Signalling | undefined>((resolve, reject) => {
      const onLost = (error: StreamError): void => {
        resolve(undefined);
        this.#onLost(error);
      };
      openSignalling(url, { ...options, signal, onLost }).then(resolve, reject);
    }).catch(() => undefined);
  }

  /** Goes on as the websocket of this grant, which its first command shows. Undefined: there is none to go on with. */
  async enter({ jwt, urls }: Granted, onLost: (error: StreamError) => void): Promise<Signalling | undefined> {
    const isSamePlace = urls[0]?.startsWith(`${this.#url}/`);
    if (!isSamePlace) this.#life.abort();
    const signalling = isSamePlace ? await this.#opening : undefined;
    if (!signalling) return undefined;
    this.#onLost = onLost;
    let grant: string | undefined = jwt;
    return {
      command: (name, data) => {
        const shown = grant === undefined ? data : { ...data, grant };
        grant = undefined;
        return signalling.command(name, shown);
      },
    };
  }
}
