import { RejectedError, type RefusalCode, type StreamError } from './errors.js';

/** The event `phasechange` of `Viewer` and `Broadcaster`. `phase` is already `current`. */
export interface PhaseChangeEvent<Phase> extends Event {
  readonly previous: Phase;
  readonly current: Phase;
}

/** An `EventTarget` with typed events. */
interface PhaseEvents<Phase> extends EventTarget {
  addEventListener(
    type: 'phasechange',
    listener: ((event: PhaseChangeEvent<Phase>) => void) | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ): void;
}

const PhaseEventTarget = EventTarget as new <Phase>() => PhaseEvents<Phase>;

/** An event target with a phase. */
export class PhaseTarget<Phase, PhaseEvent> extends PhaseEventTarget<Phase> {
  #phase: Phase;
  readonly #next: (phase: Phase, event: PhaseEvent) => Phase;

  /** @param next returns the next phase, or the same object if the event changes nothing */
  constructor(first: Phase, next: (phase: Phase, event: PhaseEvent) => Phase) {
    super();
    this.#phase = first;
    this.#next = next;
  }

  get phase(): Phase {
    return this.#phase;
  }

  protected move(event: PhaseEvent): void {
    const previous = this.#phase;
    const current = (this.#phase = this.#next(previous, event));
    if (current !== previous) this.dispatchEvent(Object.assign(new Event('phasechange'), { previous, current }));
  }
}

/** The end of a run that `stop` did not end. The client does not try again by itself. */
export type TerminalPhase =
  /** The server refused. `message` is its explanation. `retryable`: the same request can succeed later. */
  | {
      readonly name: 'rejected';
      readonly reason: RefusalCode;
      readonly message: string;
      readonly retryable: boolean;
    }
  | { readonly name: 'failed'; readonly error: StreamError };

export function terminalPhase(error: StreamError): TerminalPhase {
  return error instanceof RejectedError
    ? { name: 'rejected', reason: error.reason, message: error.message, retryable: error.retryable }
    : { name: 'failed', error };
}
