import type { SharedMessages, ViewerMessages } from '../i18n/messages.js';
import type { InboundStats } from '../../client/viewer/inbound-stats.js';

type FormatNumber = (value: number, options: Intl.NumberFormatOptions) => string;

/** A value with its unit, as the visitor's language writes both. Empty: not known. */
export function formatAmount(
  format: FormatNumber,
  value: number | undefined,
  unit: string,
  maximumFractionDigits = 0,
): string {
  if (value === undefined) return '';
  return format(value, { maximumFractionDigits, ...(unit === 'percent' ? { style: unit } : { style: 'unit', unit }) });
}

export function formatMilliseconds(format: FormatNumber, seconds: number | undefined): string {
  return formatAmount(format, seconds && seconds * 1000, 'millisecond');
}

export type Row = readonly [name: string, value: string];

/** The inbound stats as rows, for visitors who want to know why the picture looks as it does. */
export function inboundStatsRows(
  messages: ViewerMessages,
  format: FormatNumber,
  stats: Partial<InboundStats> = {},
  captureLatency?: number,
): readonly Row[] {
  return connectionStatsRows(
    messages,
    format,
    stats,
    [messages.latency, formatMilliseconds(format, stats.latency)],
    [messages.captureLatency, formatMilliseconds(format, captureLatency)],
  );
}

/** The stats of a connection, inbound or outbound, as rows. */
export function connectionStatsRows(
  messages: SharedMessages,
  format: FormatNumber,
  { width, height, framesPerSecond, bitrate, loss, roundTrip, codec }: Partial<Omit<InboundStats, 'latency'>>,
  ...more: readonly Row[]
): readonly Row[] {
  return [
    [messages.resolution, width ? `${width} × ${height}` : ''],
    [messages.frameRate, String(framesPerSecond ?? '')],
    [messages.bitrate, formatAmount(format, bitrate && bitrate / 1e6, 'megabit-per-second', 2)],
    [messages.packetLoss, formatAmount(format, loss, 'percent', 1)],
    [messages.roundTrip, formatMilliseconds(format, roundTrip)],
    ...more,
    [messages.codec, codec ?? ''],
  ];
}
