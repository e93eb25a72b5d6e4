/**
 * Rewrites the frame numbers of dependency descriptors for one receiver, so that they rise when another encoding takes
 * over: a player drops a keyframe with an earlier number than the one before. Frames refer to each other by distance.
 */
export class FrameNumberRewriter {
  #offset = 0;
  /** The newest number that was given out. Undefined: none was. */
  #newest: number | undefined;

  /** @param first of an encoding that takes over, or that begins to count anew; -1: it has no numbers */
  startSource(first: number): void {
    if (this.#newest !== undefined) this.#offset = this.#newest + 1 - first;
  }

  /** @param frameNumber of 16 bits; -1: the packet has none */
  rewrite(frameNumber: number): number {
    if (frameNumber < 0) return -1;
    const rewritten = (frameNumber + this.#offset) & 0xffff;
    const ahead = this.#newest === undefined ? 1 : ((rewritten - this.#newest) << 16) >> 16;
    if (ahead > 0) this.#newest = rewritten;
    return rewritten;
  }
}
