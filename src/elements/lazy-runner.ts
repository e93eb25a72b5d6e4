import { backoffMs } from '../client/connection/backoff.js';
import type { Retry } from '../client/connection/reconnect-loop.js';
import { UnreachableError } from '../client/errors.js';
import type { Runner } from './run-controller.js';

/** A class whose module is loaded on demand, once for all users. */
export class LazyClass<Instance, Parameters extends readonly unknown[] = []> {
  readonly #fetch: () => Promise<new (...parameters: Parameters) => Instance>;
  /** Undefined until the module is loaded. */
  loaded: (new (...parameters: Parameters) => Instance) | undefined;

  constructor(fetch: () => Promise<new (...parameters: Parameters) => Instance>) {
    this.#fetch = fetch;
  }

  async load(): Promise<new (...parameters: Parameters) => Instance> {
    return (this.loaded ??= await this.#fetch());
  }
}

const IDLE: unknown = { name: 'idle' };

type Client<Options, Phase> = Omit<Runner<Options, Phase>, 'addEventListener'> &
  EventTarget & { getStats(): Promise<RTCStatsReport | undefined> };

/**
 * A runner whose code is loaded on the first start, so that a tag renders before the WebRTC code is loaded. If loading
 * fails, the runner tries again, as after a lost connection. It dispatches the events of the real runner.
 */
export class LazyRunner<Options, Phase, Own extends Client<Options, Phase>>
  extends EventTarget
  implements Runner<Options, Phase>
{
  readonly #code: LazyClass<Own>;
  readonly #loading: Phase;
  readonly #events: readonly string[];
  /** The phase until the real runner exists. */
  #phase = IDLE as Phase;
  #options: Options | undefined;
  protected runner: Own | undefined;

  /**
   * @param loading the phase while the code is loaded
   * @param events types of the events of the real runner that are dispatched here, too
   */
  constructor(code: LazyClass<Own>, loading: Phase, events: readonly string[]) {
    super();
    this.#code = code;
    this.#loading = loading;
    this.#events = events;
  }

  get phase(): Phase {
    return this.runner?.phase ?? this.#phase;
  }

  start(options: Options): void {
    this.#options = options;
    const { loaded } = this.#code;
    if (loaded) return this.#run(loaded);
    this.#setPhase(this.#loading);
    void this.#load(options, 0);
  }

  stop(): void {
    this.#options = undefined;
    if (this.runner) this.runner.stop();
    else if (this.#phase !== IDLE) this.#setPhase(IDLE as Phase);
  }

  /** Statistics of the connection. Undefined while there is none. */
  async getStats(): Promise<RTCStatsReport | undefined> {
    return this.runner?.getStats();
  }

  /** The options for the real runner. */
  protected complete(options: Options): Options {
    return options;
  }

  async #load(options: Options, attempt: number): Promise<void> {
    // `start` or `stop` was called meanwhile.
    const isStale = (): boolean => this.#options !== options;
    if (isStale()) return;
    try {
      const code = await this.#code.load();
      if (!isStale()) this.#run(code);
    } catch (cause) {
      if (isStale()) return;
      const retryInMs = Math.round(backoffMs(attempt));
      const error = new UnreachableError('The player did not load', 'unreachable', cause);
      const retry: Retry = { error, attempt: attempt + 1, retryInMs };
      this.#setPhase({ ...retry, name: 'reconnecting' } as Phase);
      setTimeout(() => this.#load(options, attempt + 1), retryInMs);
    }
  }

  #run(Code: new () => Own): void {
    if (!this.runner) {
      this.runner = new Code();
      for (const type of this.#events) this.runner.addEventListener(type, () => this.dispatchEvent(new Event(type)));
    }
    this.runner.start(this.complete(this.#options!));
  }

  #setPhase(phase: Phase): void {
    this.#phase = phase;
    this.dispatchEvent(new Event('phasechange'));
  }
}
