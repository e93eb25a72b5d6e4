import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { sameOptions } from '../client/same-options.js';

/** What a `Viewer` and a `Broadcaster` have in common. */
export interface Runner<Options, Phase> {
  readonly phase: Phase;
  start(options: Options): void;
  stop(): void;
  /** The page goes away and may come back. Absent: as `stop`. */
  leave?(): void;
  addEventListener(type: 'phasechange', listener: () => void): void;
}

export interface RunControllerConfig<Options, Phase> {
  /** What to run, read before each update of the host. Undefined: nothing. */
  readonly options: () => Options | undefined;
  readonly onPhase: (phase: Phase, before: Phase) => void;
}

/**
 * Ties a runner to the life of its host. Options that changed start a new run; a host that leaves the page, or a
 * page that is left, ends the one it has.
 */
export class RunController<Options extends object, Phase> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #runner: Runner<Options, Phase>;
  readonly #config: RunControllerConfig<Options, Phase>;
  #running: Options | undefined;
  /** Aborts when the host leaves. There is one while it is on a page that is shown. */
  #stay: AbortController | undefined;
  #isAway = true;

  constructor(
    host: ReactiveControllerHost,
    runner: Runner<Options, Phase>,
    config: RunControllerConfig<Options, Phase>,
  ) {
    this.#host = host;
    this.#runner = runner;
    this.#config = config;
    let before = runner.phase;
    runner.addEventListener('phasechange', () => {
      const last = before;
      before = runner.phase;
      config.onPhase(runner.phase, last);
      host.requestUpdate();
    });
    host.addController(this);
  }

  /** Ends the run and begins it again, with the same options too. */
  restart(): void {
    this.forget();
    this.#host.requestUpdate();
  }

  /** The run is over: whatever options come next, there is nothing to stop. */
  forget(): void {
    this.#running = undefined;
  }

  hostConnected(): void {
    this.#stay = new AbortController();
    const { signal } = this.#stay;
    // A page that is left may be kept and shown again later: without this, its sockets would look alive to the server.
    window.addEventListener('pagehide', () => this.#leave(true), { signal });
    window.addEventListener('pageshow', () => this.#come(), { signal });
    this.#come();
  }

  hostUpdate(): void {
    const wanted = this.#isAway ? undefined : this.#config.options();
    if (sameOptions(this.#running, wanted)) return;
    this.#running = wanted;
    if (wanted) this.#runner.start(wanted);
    else this.#runner.stop();
  }

  hostDisconnected(): void {
    const stay = this.#stay;
    stay?.abort();
    // Who is moved is gone and back at once.
    queueMicrotask(() => {
      if (this.#stay === stay) this.#leave(false);
    });
  }

  #come(): void {
    this.#isAway = false;
    this.#host.requestUpdate();
  }

  #leave(withThePage: boolean): void {
    this.#isAway = true;
    this.#running = undefined;
    if (withThePage && this.#runner.leave) this.#runner.leave();
    else this.#runner.stop();
  }
}
