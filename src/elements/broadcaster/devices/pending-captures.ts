import type { TrackKind } from '../../../client/viewer/sources.js';

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
  /** What is wanted of each kind. Without a wish, what opens is stopped. */
  readonly wishes = new Map<CaptureKind, Wish>();
  /** Ends when the last request for this device is over. */
  readonly #turns = new Map<CaptureKind, Promise<void>>();

  constructor(config: PendingCapturesConfig) {
    this.#config = config;
  }

  /**
   * Resolves when this request is over, however it ended.
   *
   * @param open for a screen, it is called at once: browsers show screens only to a person who has just clicked
   * @param deviceId empty: the browser's choice
   */
  request(kinds: readonly CaptureKind[], open: () => Promise<MediaStream | undefined>, deviceId = ''): Promise<void> {
    const wish = { deviceId };
    for (const kind of kinds) this.wishes.set(kind, wish);
    const turn = this.#take(kinds, open, wish);
    for (const kind of kinds) if (kind !== 'screen') this.#turns.set(kind, turn);
    return turn;
  }

  async #take(kinds: readonly CaptureKind[], open: () => Promise<MediaStream | undefined>, wish: Wish): Promise<void> {
    const isWanted = (kind: CaptureKind): boolean => this.wishes.get(kind) === wish;
    const finish = (): readonly CaptureKind[] => kinds.filter((kind) => isWanted(kind) && this.wishes.delete(kind));
    const before = kinds.flatMap((kind) => this.#turns.get(kind) ?? []);
    if (before.length > 0) await Promise.all(before);
    if (!kinds.some(isWanted)) return;
    try {
      const media = await open();
      const kept = finish();
      for (const track of media?.getTracks() ?? [])
        if (!kept.some((kind) => kind === 'screen' || kind === track.kind)) track.stop();
      for (const kind of kept) if (media) this.#config.keep(kind, media);
    } catch (error) {
      const failed = finish();
      if (failed.length > 0) this.#config.fail(failed, error);
    }
  }
}
