/** The monotonic clock that all processes of a machine share, in milliseconds. No change of the time of day moves it. */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
