import type { TrackKind } from '../../client/sources.js';

export type CaptureKind = TrackKind | 'screen';

export interface PendingCapturesConfig {
  /** It is open, and still wanted. For a camera or a microphone, it is one of the tracks in `media`. */
  readonly keep: (kind: CaptureKind, media: MediaStream) => void;
  /** These could not be opened, and are still wanted. */
  readonly fail: (kinds: readonly CaptureKind[], error: unknown) => void;
}

interface Wish {
  readonly deviceId: string;
}

/**
 * What was asked for and is not open yet. One request of a kind runs at a time, because a phone cannot have two cameras
 * open, and browsers cannot take a request back. The newest request of a kind wins: a request that it overtakes never
 * starts, or what it opens is stopped at once.
 */
export class PendingCaptures {
  readonly #config: PendingCapturesConfig;
  readonly #newest = new Map<CaptureKind, Wish>();
  /** Ends when the last request of this kind is over. */
  readonly #turns = new Map<CaptureKind, Promise<void>>();

  constructor(config: PendingCapturesConfig) {
    this.#config = config;
  }

  get size(): number {
    return this.#newest.size;
  }

  /** What is wanted of this kind; undefined: nothing. */
  wish(kind: CaptureKind): Wish | undefined {
    return this.#newest.get(kind);
  }

  /** Nothing is wanted any more. */
  clear(): void {
    this.#newest.clear();
  }

  /**
   * Resolves when this request is over, however it ended.
   *
   * @param open called at once where no request of these kinds runs: browsers show screens only to whoever just clicked
   * @param deviceId empty: the browser's choice
   */
  async request(
    kinds: readonly CaptureKind[],
    open: () => Promise<MediaStream | undefined>,
    deviceId = '',
  ): Promise<void> {
    const wish = { deviceId };
    const before = kinds.flatMap((kind) => this.#turns.get(kind) ?? []);
    for (const kind of kinds) this.#newest.set(kind, wish);
    const turn = this.#take(kinds, wish, open, before);
    for (const kind of kinds) this.#turns.set(kind, turn);
    await turn;
    for (const kind of kinds) if (this.#turns.get(kind) === turn) this.#turns.delete(kind);
  }

  async #take(
    kinds: readonly CaptureKind[],
    wish: Wish,
    open: () => Promise<MediaStream | undefined>,
    before: readonly Promise<void>[],
  ): Promise<void> {
    const wanted = (): readonly CaptureKind[] => kinds.filter((kind) => this.#newest.get(kind) === wish);
    const finish = (): readonly CaptureKind[] => {
      const last = wanted();
      for (const kind of last) this.#newest.delete(kind);
      return last;
    };
    if (before.length > 0) await Promise.all(before);
    if (wanted().length === 0) return;
    try {
      const media = await open();
      const kept = finish();
      for (const track of media?.getTracks() ?? [])
        if (!kept.includes('screen') && !kept.includes(track.kind as TrackKind)) track.stop();
      for (const kind of kept) if (media) this.#config.keep(kind, media);
    } catch (error) {
      const failed = finish();
      if (failed.length > 0) this.#config.fail(failed, error);
    }
  }
}
