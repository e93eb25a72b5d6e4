/** Moments that come and go, in order, so that those before a moment are counted without a search of all. */
export class Times {
  readonly #sorted: number[] = [];

  get count(): number {
    return this.#sorted.length;
  }

  add(time: number): void {
    this.#sorted.splice(this.countBefore(time), 0, time);
  }

  /** Removes one of them. Nothing happens if there is none. */
  remove(time: number): void {
    const index = this.countBefore(time);
    if (this.#sorted[index] === time) this.#sorted.splice(index, 1);
  }

  countBefore(time: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
