import type { CutRecording } from '../../../wire/management/recording.js';

/** The longest clip that the server cuts, in seconds. */
const LONGEST_S = 3_600;

/** A time as a person writes it: `75`, `1:15` or `1:01:15`. @returns seconds; undefined: it is no such time */
export function secondsOfClock(text: string): number | undefined {
  const [, ...parts] = /^\s*(?:(?:(\d{1,6}):)?(\d{1,6}):)?(\d{1,9})\s*$/.exec(text) ?? [];
  const [hours, minutes, seconds] = parts.map((part) => (part === undefined ? undefined : Number(part)));
  if (seconds === undefined) return undefined;
  const isClock = minutes !== undefined;
  if ((isClock && seconds > 59) || (hours !== undefined && minutes! > 59)) return undefined;
  return (hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + seconds;
}

/**
 * The piece between two times of a recording.
 *
 * @param durationSeconds of the recording. A clip may end in its last second, which is not whole.
 * @returns undefined: the times do not name a piece that the server cuts
 */
export function clipOf(from: string, to: string, durationSeconds: number): CutRecording | undefined {
  const [start, end] = [secondsOfClock(from), secondsOfClock(to)];
  if (start === undefined || end === undefined) return undefined;
  const seconds = end - start;
  const isInside = seconds >= 1 && end <= Math.ceil(durationSeconds);
  return isInside && seconds <= LONGEST_S ? { startSeconds: start, seconds } : undefined;
}
