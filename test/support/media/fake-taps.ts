import type { SourceId, SourceFrame } from '../../../server/media/engine/media-track.js';
import type { OpenTap, TapListener, TapOptions, TapTracks } from '../../../server/media/engine/tap.js';

interface FakeTap {
  readonly options: TapOptions;
  readonly listener: TapListener;
  /** Undefined: the source is not there. The frames begin with a keyframe. */
  source: { hasKeyframe: boolean; keyframeAt: number } | undefined;
}

/** What the fake engine sends to taps. They receive frames at once. */
export class FakeTaps {
  readonly #sources = new Map<string, TapTracks>();
  readonly #taps = new Set<FakeTap>();
  readonly #requests = new Map<string, number>();
  /** The time of a frame with timestamp 0, in ms since 1970. */
  readonly #zero = Date.now();

  readonly open: OpenTap = (_address, options, listener) => {
    const tap: FakeTap = { options, listener, source: undefined };
    this.#taps.add(tap);
    // As over a network: the caller has the tap first.
    queueMicrotask(() => {
      const tracks = this.#sources.get(keyOf(options.stream, options.sourceId));
      if (tracks && this.#taps.has(tap) && !tap.source) this.#begin(tap, tracks);
    });
    return { close: () => void this.#taps.delete(tap) };
  };

  /** How often taps asked the publisher of a source for a keyframe. */
  requests(stream: string, sourceId: SourceId): number {
    return this.#requests.get(keyOf(stream, sourceId)) ?? 0;
  }

  begin(stream: string, sourceId: SourceId, tracks: TapTracks): void {
    this.#sources.set(keyOf(stream, sourceId), tracks);
    for (const tap of this.#of(stream, sourceId)) this.#begin(tap, tracks);
  }

  frame(stream: string, sourceId: SourceId, { kind, data, isKeyframe, timestampMs }: SourceFrame): void {
    for (const tap of this.#of(stream, sourceId)) {
      const { source, listener } = tap;
      if (!source) continue;
      if (kind === 'video' && !this.#accepts(tap, isKeyframe)) continue;
      const [width, height] = kind === 'video' && isKeyframe ? [320, 180] : [0, 0];
      listener.onFrame({ kind, data, isKeyframe, timestampMs: this.#zero + timestampMs, width, height });
    }
  }

  end(stream: string, sourceId: SourceId): void {
    this.#sources.delete(keyOf(stream, sourceId));
    for (const tap of this.#of(stream, sourceId)) {
      tap.source = undefined;
      tap.listener.onSourceEnded();
    }
  }

  close(): void {
    for (const { listener } of this.#taps) listener.onClosed();
    this.#taps.clear();
  }

  #begin(tap: FakeTap, tracks: TapTracks): void {
    tap.source = { hasKeyframe: false, keyframeAt: Date.now() };
    tap.listener.onSource(tracks);
  }

  #accepts({ source, options }: FakeTap, isKeyframe: boolean): boolean {
    if (!source) return false;
    const { stream, sourceId, keyframeEveryMs = Infinity } = options;
    const isLate = !source.hasKeyframe || Date.now() - source.keyframeAt >= keyframeEveryMs;
    if (isKeyframe || isLate) source.keyframeAt = Date.now();
    if (isKeyframe) source.hasKeyframe = true;
    else if (isLate) this.#requests.set(keyOf(stream, sourceId), this.requests(stream, sourceId) + 1);
    return source.hasKeyframe;
  }

  #of(stream: string, sourceId: SourceId): FakeTap[] {
    return [...this.#taps].filter(({ options }) => options.stream === stream && options.sourceId === sourceId);
  }
}

const keyOf = (stream: string, sourceId: SourceId): string => JSON.stringify([stream, sourceId]);
