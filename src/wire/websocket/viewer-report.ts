/**
 * Data of `report`: what the visitor saw. Counts and durations are sums since the session began, so that a lost report
 * loses nothing. The server answers a report only if it has a `transId`.
 */
export interface ViewerReport {
  /** From the start of the viewer to the first picture, in milliseconds. */
  readonly first?: number | undefined;
  /** How long the media was played, in milliseconds. */
  readonly played?: number | undefined;
  /** How often the picture froze. */
  readonly freezes?: number | undefined;
  /** How long it was frozen, in seconds. */
  readonly frozen?: number | undefined;
  /** Of the present picture, in pixels. */
  readonly height?: number | undefined;
  /** At present. */
  readonly framesPerSecond?: number | undefined;
  /** Present round-trip time, in seconds. */
  readonly roundTrip?: number | undefined;
  /** Packets of audio and video that arrived. */
  readonly packets?: number | undefined;
  /** Packets of audio and video that were lost. */
  readonly lost?: number | undefined;
}

type Field = keyof ViewerReport;

/** The largest value that can be true. */
const MOST: Readonly<Record<Field, number>> = {
  first: 600_000,
  played: 1e11,
  freezes: 1e12,
  frozen: 1e8,
  height: 16_384,
  framesPerSecond: 1_000,
  roundTrip: 600,
  packets: 1e12,
  lost: 1e12,
};
const FIELDS = Object.keys(MOST) as readonly Field[];

/**
 * Something that a browser does not report, or that cannot be true, counts as not reported. A thousand reports arrive in
 * a second, so no schema reads them: it would take as long as the rest of their way.
 * @returns undefined if the data is no object
 */
export function readViewerReport(data: unknown): ViewerReport | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const given: Readonly<Partial<Record<Field, unknown>>> = data;
  const report: { [Name in Field]?: number } = {};
  for (const name of FIELDS) {
    const value = given[name];
    if (typeof value === 'number' && value >= 0 && value <= MOST[name]) report[name] = value;
  }
  return report;
}
