import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { sameOptions } from '../client/same-options.js';
import { StreamPhaseChangeEvent } from './events.js';

/** The interface that `Viewer` and `Broadcaster` share. */
export interface Runner<Options, Phase> {
  readonly phase: Phase;
  start(options: Options): void;
  stop(): void;
  /** Called instead of `stop` when the page unloads or is put into the back/forward cache. */
  leave?(): void;
  addEventListener(type: 'phasechange', listener: () => void): void;
}

export interface RunControllerConfig<Options, Phase> {
  /** Read before each update of the host. Undefined stops the runner. */
  readonly options: () => Options | undefined;
  /** Called before any event of the host is dispatched. */
  readonly apply?: (phase: Phase, previous: Phase) => void;
  /** Called after the host has dispatched `stream-phase-change`. */
  readonly onPhase: (phase: Phase, previous: Phase) => void;
}

/**
 * Ties a runner to the life of its host. Changed options start a new run. The run ends when the host is removed from
 * the document or the page is hidden. Dispatches `stream-phase-change` on the host.
 */
export class RunController<Options extends object, Phase extends object> implements ReactiveController {
  readonly #host: ReactiveControllerHost & EventTarget;
  readonly #runner: Runner<Options, Phase>;
  readonly #config: RunControllerConfig<Options, Phase>;
  #running: Options | undefined;
  /** Aborted when the host is disconnected. */
  #connection: AbortController | undefined;
  #isAway = true;

  constructor(
    host: ReactiveControllerHost & EventTarget,
    runner: Runner<Options, Phase>,
    config: RunControllerConfig<Options, Phase>,
  ) {
    this.#host = host;
    this.#runner = runner;
    this.#config = config;
    let current = runner.phase;
    runner.addEventListener('phasechange', () => {
      const previous = current;
      const phase = (current = runner.phase);
      config.apply?.(phase, previous);
      // Such as the same live media again, because its tracks changed.
      if (!sameOptions(previous, phase) || !sameOptions(phase, previous)) {
        host.dispatchEvent(new StreamPhaseChangeEvent(previous, phase));
        config.onPhase(phase, previous);
      }
      host.requestUpdate();
    });
    host.addController(this);
  }

  /** Starts a new run with the current options. */
  restart(): void {
    this.forget();
    this.#host.requestUpdate();
  }

  /** Forgets the options of the run, which is over. */
  forget(): void {
    this.#running = undefined;
  }

  hostConnected(): void {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    // A browser may keep a page in the back/forward cache. Its sockets would stay open for the server.
    window.addEventListener('pagehide', () => this.#leave(true), { signal });
    window.addEventListener('pageshow', () => this.#return(), { signal });
    this.#return();
  }

  hostUpdate(): void {
    const options = this.#isAway ? undefined : this.#config.options();
    if (sameOptions(this.#running, options)) return;
    this.#running = options;
    if (options) this.#runner.start(options);
    else this.#runner.stop();
  }

  hostDisconnected(): void {
    const connection = this.#connection;
    connection?.abort();
    // A host that is moved in the document is disconnected and connected again at once.
    queueMicrotask(() => {
      if (this.#connection === connection) this.#leave(false);
    });
  }

  #return(): void {
    this.#isAway = false;
    this.#host.requestUpdate();
  }

  #leave(isPageHidden: boolean): void {
    this.#isAway = true;
    this.#running = undefined;
    if (isPageHidden && this.#runner.leave) this.#runner.leave();
    else this.#runner.stop();
  }
}
