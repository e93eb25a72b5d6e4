/** Values by the text that they are made of, so that equal ones are shared. Forgets all when there are too many. */
export class RecentValues<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  set(text: string, value: Value): void {
    if (this.#values.size === this.#most) this.#values.clear();
    this.#values.set(text, value);
  }
}
