import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inboundStatsRows, formatMilliseconds } from '../../../src/elements/stats/stats-rows.js';
import { viewerMessages } from '../../../src/elements/i18n/en.js';

const write = (lang: string) => (value: number, options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(lang, options).format(value);

describe('the rows of the statistics', () => {
  it('have their units', () => {
    const stats = {
      width: 1280,
      height: 720,
      framesPerSecond: 30,
      bitrate: 2_345_678,
      loss: 0.0123,
      roundTrip: 0.0416,
      latency: 0.1234,
      codec: 'VP8',
    };
    const rows = inboundStatsRows(viewerMessages, write('en'), stats, 0.2345);
    assert.deepEqual(rows, [
      ['Resolution', '1280 × 720'],
      ['Frame rate', '30'],
      ['Bitrate', '2.35 Mb/s'],
      ['Packet loss', '1.2%'],
      ['Round trip', '42 ms'],
      ['Latency', '123 ms'],
      ['Camera to screen', '235 ms'],
      ['Codec', 'VP8'],
    ]);
  });

  it('are empty where a value is unknown', () => {
    assert.deepEqual(
      inboundStatsRows(viewerMessages, write('en')).map(([, value]) => value),
      ['', '', '', '', '', '', '', ''],
    );
  });

  it('have the number format of the language', () => {
    assert.equal(formatMilliseconds(write('de'), 1.2345), '1.235 ms');
    assert.equal(formatMilliseconds(write('en'), 0), '0 ms');
  });
});
