/** As `1:02:03`, or `2:03` below an hour. @param seconds a fraction is left out */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** As `2.5 hr`, or `24 min` below an hour, in the words of the language. @param language BCP 47 tag */
export function hoursText(seconds: number, language: string): string {
  const [amount, unit] = seconds < 3_600 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour'];
  const digits = { maximumFractionDigits: amount < 10 ? 1 : 0 };
  return amount.toLocaleString(language, { style: 'unit', unit, unitDisplay: 'short', ...digits });
}

/** As `2.5 Mb/s`. @param bitrate in bit/s */
export function bitrateText(bitrate: number, language: string): string {
  return (bitrate / 1e6).toLocaleString(language, {
    style: 'unit',
    unit: 'megabit-per-second',
    unitDisplay: 'short',
    maximumFractionDigits: 2,
  });
}

/** As `1.3 sec`, or `48 ms` below a second, in the words of the language. @param language BCP 47 tag */
export function durationText(seconds: number, language: string): string {
  const [amount, unit] = seconds < 1 ? [Math.round(seconds * 1000), 'millisecond'] : [seconds, 'second'];
  return amount.toLocaleString(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
}

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** As `1.3 GB`, in units of a thousand. @param language BCP 47 tag */
export function sizeText(bytes: number, language: string): string {
  const power = Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1_000 ** power;
  const digits = { maximumFractionDigits: power > 0 && amount < 100 ? 1 : 0 };
  return amount.toLocaleString(language, { style: 'unit', unit: SIZE_UNITS[power], unitDisplay: 'short', ...digits });
}

/** As `0.25%`. @param part 0 to 1 @param language BCP 47 tag */
export function percentText(part: number, language: string): string {
  return part.toLocaleString(language, { style: 'percent', maximumFractionDigits: 2 });
}

/** As `24 Nov 2026, 14:05`. @param time a date as the server sends it, or milliseconds since 1970 */
export function dateTimeText(time: string | number, language: string, timeStyle: 'short' | 'medium' = 'short'): string {
  return new Date(time).toLocaleString(language, { dateStyle: 'medium', timeStyle });
}

/** As `24 Nov 2026`. */
export function dayText(time: string | number, language: string): string {
  return new Date(time).toLocaleDateString(language, { dateStyle: 'medium' });
}

/** As `14:05`. */
export function timeText(time: string | number, language: string, timeStyle: 'short' | 'medium' = 'short'): string {
  return new Date(time).toLocaleTimeString(language, { timeStyle });
}

/** A time as a person enters it in a field of the browser, in their time zone. @param time milliseconds since 1970 */
export function localTime(time: number): string {
  const offset = new Date(time).getTimezoneOffset();
  return new Date(time - offset * 60_000).toISOString().slice(0, 16);
}

/** As `a, b, and c`. @param language BCP 47 tag */
export const listText = (names: readonly string[], language: string): string =>
  new Intl.ListFormat(language).format(names);

/** `Switzerland` for `CH`. @param language BCP 47 tag */
export const countryName = (code: string, language: string): string =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code;

/** As people write them. Others are shown as they are. */
const CODEC_NAMES: Readonly<Record<string, string>> = {
  h264: 'H.264',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  opus: 'Opus',
};

/** As `H.264 + Opus`. @param codecs null: the source has none of this kind */
export const codecNames = (...codecs: readonly (string | null)[]): string =>
  codecs
    .filter((codec) => codec !== null)
    .map((codec) => CODEC_NAMES[codec] ?? codec)
    .join(' + ');
