/** What was measured of an encoding. */
export interface MeasuredQuality {
  /** Of its largest picture. 0: unknown. */
  readonly pixels: number;
  /** In bit/s. 0: unknown, or nothing arrived lately. */
  readonly bitrate: number;
}

/** Bitrates vary: encodings of one size change places only where one has this much more. */
const CLEARLY_MORE = 1.25;

/**
 * The encodings of a simulcast by quality, the smallest first: by the size of their pictures, then by bitrate. The offer
 * does not tell: browsers declare the smallest first, OBS Studio the largest. Encodings of which nothing is known keep
 * their places.
 * @param before the order until now, as indexes; at first that of the offer
 */
export function qualityOrder(before: readonly number[], measured: readonly MeasuredQuality[]): readonly number[] {
  const isKnown = (index: number) => measured[index]!.pixels > 0 || measured[index]!.bitrate > 0;
  const known = before.filter(isKnown);
  const areSized = known.every((index) => measured[index]!.pixels > 0);
  const isBetter = (one: number, other: number): boolean => {
    const [a, b] = [measured[one]!, measured[other]!];
    if (areSized && a.pixels !== b.pixels) return a.pixels > b.pixels;
    return b.bitrate > 0 && a.bitrate > b.bitrate * CLEARLY_MORE;
  };
  const sorted: number[] = [];
  for (const index of known) {
    const at = sorted.findLastIndex((other) => !isBetter(other, index)) + 1;
    sorted.splice(at, 0, index);
  }
  const next = sorted.values();
  return before.map((index) => (isKnown(index) ? next.next().value! : index));
}
