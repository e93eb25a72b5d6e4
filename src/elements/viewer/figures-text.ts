import type { SharedWords, ViewerWords } from '../words/words.js';
import type { Figures } from './figures.js';

type WriteNumber = (value: number, options: Intl.NumberFormatOptions) => string;

/** A figure with its unit, as the reader's language writes both. Empty: not known. */
export function amount(write: WriteNumber, value: number | undefined, unit: string, maximumFractionDigits = 0): string {
  if (value === undefined) return '';
  return write(value, { maximumFractionDigits, ...(unit === 'percent' ? { style: unit } : { style: 'unit', unit }) });
}

export function milliseconds(write: WriteNumber, seconds: number | undefined): string {
  return amount(write, seconds && seconds * 1000, 'millisecond');
}

type Row = readonly [name: string, value: string];

/** What comes in, row by row, for those who ask why it looks as it does. */
export function figureRows(words: ViewerWords, write: WriteNumber, figures: Partial<Figures> = {}): readonly Row[] {
  return connectionRows(words, write, figures, [words.latency, milliseconds(write, figures.latency)]);
}

/** What goes over a connection, in either direction. */
export function connectionRows(
  words: SharedWords,
  write: WriteNumber,
  { width, height, framesPerSecond, bitrate, loss, roundTrip, codec }: Partial<Omit<Figures, 'latency'>>,
  ...more: readonly Row[]
): readonly Row[] {
  return [
    [words.resolution, width ? `${width} × ${height}` : ''],
    [words.frameRate, String(framesPerSecond ?? '')],
    [words.bitrate, amount(write, bitrate && bitrate / 1e6, 'megabit-per-second', 2)],
    [words.packetLoss, amount(write, loss, 'percent', 1)],
    [words.roundTrip, milliseconds(write, roundTrip)],
    ...more,
    [words.codec, codec ?? ''],
  ];
}
