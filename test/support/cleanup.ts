/** Closes what a test opened, in reverse order: `afterEach(() => cleanup.run())`. */
export class Cleanup {
  readonly #steps: (() => unknown)[] = [];

  after(step: () => unknown): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) await step();
  }
}
