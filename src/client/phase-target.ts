/** Something that is in one phase at a time. It says `phasechange` when that became another one. */
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

  /** Moves, and tells when that changed anything. */
  protected move(event: PhaseEvent): void {
    const next = this.#next(this.#phase, event);
    if (next === this.#phase) return;
    this.#phase = next;
    this.dispatchEvent(new Event('phasechange'));
  }
}
