/** RFC 6716 section 3.1: how long one frame of each group of configurations lasts, in ms. */
const SILK_MS = [10, 20, 40, 60];
const HYBRID_MS = [10, 20];
const CELT_MS = [2.5, 5, 10, 20];
const LONGEST_MS = 120;

/** How long an Opus packet lasts, by its first bytes. */
export function opusDurationMs(packet: Uint8Array): number {
  const toc = packet[0] ?? 0;
  const configuration = toc >> 3;
  const frameMs =
    configuration < 12
      ? SILK_MS[configuration & 3]!
      : configuration < 16
        ? HYBRID_MS[configuration & 1]!
        : CELT_MS[configuration & 3]!;
  const code = toc & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 1) & 0x3f;
  return Math.min(LONGEST_MS, frameMs * Math.max(1, frames));
}
