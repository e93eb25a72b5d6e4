import { backoffMs } from '../client/connection/backoff.js';
import { UnreachableError } from '../client/errors.js';
import type { Retry } from '../client/connection/reconnect-loop.js';
import type { Runner } from './run-controller.js';

/** A class that is fetched when it is needed, once for all who need it. */
export class LazyClass<Made> {
  readonly #fetch: () => Promise<new () => Made>;
  /** Once it is there. */
  loaded: (new () => Made) | undefined;

  constructor(fetch: () => Promise<new () => Made>) {
    this.#fetch = fetch;
  }

  async load(): Promise<new () => Made> {
    return (this.loaded ??= await this.#fetch());
  }
}

const IDLE: unknown = { name: 'idle' };

type Made<Options, Phase> = Omit<Runner<Options, Phase>, 'addEventListener'> &
  EventTarget & { getStats(): Promise<RTCStatsReport | undefined> };

/**
 * A runner whose code is fetched when there is something to run: a page shows its tag before it has read any of what
 * WebRTC needs. Code that does not come is fetched again, as a lost connection is made again. It repeats the events of
 * the one it stands for.
 */
export class LazyRunner<Options, Phase, Own extends Made<Options, Phase>>
  extends EventTarget
  implements Runner<Options, Phase>
{
  readonly #code: LazyClass<Own>;
  readonly #loading: Phase;
  readonly #events: readonly string[];
  /** Holds until there is a runner. */
  #phase = IDLE as Phase;
  #options: Options | undefined;
  protected runner: Own | undefined;

  /**
   * @param loading the phase while the code is fetched
   * @param events to repeat
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
    this.#become(this.#loading);
    this.#load(options, 0);
  }

  stop(): void {
    this.#options = undefined;
    if (this.runner) this.runner.stop();
    else if (this.#phase !== IDLE) this.#become(IDLE as Phase);
  }

  /** Of the session's connection; undefined: there is none. */
  getStats(): Promise<RTCStatsReport | undefined> {
    return this.runner?.getStats() ?? Promise.resolve(undefined);
  }

  /** What to run with, as the runner is to have it. */
  protected complete(options: Options): Options {
    return options;
  }

  #load(options: Options, attempt: number): void {
    if (this.#options !== options) return;
    this.#code.load().then(
      (code) => this.#options === options && this.#run(code),
      (cause: unknown) => {
        if (this.#options !== options) return;
        const retryInMs = Math.round(backoffMs(attempt));
        const error = new UnreachableError('The player did not load', 'unreachable', cause);
        const broken: Retry = { error, attempt: attempt + 1, retryInMs };
        this.#become({ ...broken, name: 'reconnecting' } as Phase);
        setTimeout(() => this.#load(options, attempt + 1), retryInMs);
      },
    );
  }

  #run(Code: new () => Own): void {
    this.runner ??= this.#heard(new Code());
    this.runner.start(this.complete(this.#options!));
  }

  #heard(runner: Own): Own {
    for (const type of this.#events) runner.addEventListener(type, () => this.dispatchEvent(new Event(type)));
    return runner;
  }

  #become(phase: Phase): void {
    this.#phase = phase;
    this.dispatchEvent(new Event('phasechange'));
  }
}
