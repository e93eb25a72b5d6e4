/** The phase changed: read it from the target. */
export const PHASE_CHANGE = 'phasechange';

/** Something that is in one phase at a time and says when it moves. */
export class PhaseTarget<Phase, PhaseEvent> extends EventTarget {
  #phase: Phase;
  readonly #next: (phase: Phase, event: PhaseEvent) => Phase;

  constructor(first: Phase, next: (phase: Phase, event: PhaseEvent) => Phase) {
    super();
    this.#phase = first;
    this.#next = next;
  }

  get phase(): Phase {
    return this.#phase;
  }

  override addEventListener(
    type: typeof PHASE_CHANGE,
    listener: ((event: Event) => void) | EventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
  }

  override removeEventListener(
    type: typeof PHASE_CHANGE,
    listener: ((event: Event) => void) | EventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void {
    super.removeEventListener(type, listener, options);
  }

  /** Moves, and tells when that changed anything. */
  protected move(event: PhaseEvent): void {
    const next = this.#next(this.#phase, event);
    if (next === this.#phase) return;
    this.#phase = next;
    this.dispatchEvent(new Event(PHASE_CHANGE));
  }
}
