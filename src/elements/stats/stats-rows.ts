import { html, type TemplateResult } from 'lit';
import type { SharedMessages, ViewerMessages } from '../i18n/messages.js';
import type { InboundStats } from './inbound-stats.js';

type WriteNumber = (value: number, options: Intl.NumberFormatOptions) => string;

/** A value with its unit, as the visitor's language writes both. Empty: not known. */
export function formatAmount(
  write: WriteNumber,
  value: number | undefined,
  unit: string,
  maximumFractionDigits = 0,
): string {
  if (value === undefined) return '';
  return write(value, { maximumFractionDigits, ...(unit === 'percent' ? { style: unit } : { style: 'unit', unit }) });
}

export function formatMilliseconds(write: WriteNumber, seconds: number | undefined): string {
  return formatAmount(write, seconds && seconds * 1000, 'millisecond');
}

type Row = readonly [name: string, value: string];

/** The inbound stats as rows, for visitors who want to know why the picture looks as it does. */
export function inboundStatsRows(
  messages: ViewerMessages,
  write: WriteNumber,
  figures: Partial<InboundStats> = {},
): readonly Row[] {
  return connectionStatsRows(messages, write, figures, [messages.latency, formatMilliseconds(write, figures.latency)]);
}

/** The stats of a connection, inbound or outbound, as rows. */
export function connectionStatsRows(
  messages: SharedMessages,
  write: WriteNumber,
  { width, height, framesPerSecond, bitrate, loss, roundTrip, codec }: Partial<Omit<InboundStats, 'latency'>>,
  ...more: readonly Row[]
): readonly Row[] {
  return [
    [messages.resolution, width ? `${width} × ${height}` : ''],
    [messages.frameRate, String(framesPerSecond ?? '')],
    [messages.bitrate, formatAmount(write, bitrate && bitrate / 1e6, 'megabit-per-second', 2)],
    [messages.packetLoss, formatAmount(write, loss, 'percent', 1)],
    [messages.roundTrip, formatMilliseconds(write, roundTrip)],
    ...more,
    [messages.codec, codec ?? ''],
  ];
}

/** The rows as a list. */
export const statsPanel = (rows: readonly Row[]): TemplateResult =>
  html`<dl part="statistics" class="panel">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value || '–'}</dd>`,
    )}
  </dl>`;
