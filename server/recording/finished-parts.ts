import type { FinishedGroup } from './packager.js';
import type { RewindPart } from './rewind-source.js';

/** The whole of a finished file. */
export type WholeFile = Omit<RewindPart, 'id' | 'groups' | 'isOpen'>;

/**
 * A finished file as the parts that it was made of. The file keeps the time during which a broadcast was interrupted. The
 * playlist leaves it out, as it does while the broadcast is live, so that a viewer who is back stays at the same place.
 */
export function finishedParts(whole: WholeFile, groups: readonly FinishedGroup[]): RewindPart[] {
  const starts = groups.flatMap(({ gapFromMs }, index) => (index === 0 || gapFromMs !== undefined ? [index] : []));
  const parts: RewindPart[] = [];
  for (const [number, start] of starts.entries()) {
    const next = starts[number + 1];
    const after = next === undefined ? undefined : groups[next];
    parts.push({
      ...whole,
      id: number === 0 ? 'recording' : `recording-${number + 1}`,
      groups: groups.slice(start, next),
      durationMs: after?.gapFromMs ?? whole.durationMs,
      bytes: after?.position ?? whole.bytes,
      isOpen: false,
    });
  }
  return parts;
}
