import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { figureRows, milliseconds } from '../../../src/elements/viewer/figures-text.js';
import { viewerWords } from '../../../src/elements/words/en.js';

const write = (lang: string) => (value: number, options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(lang, options).format(value);

describe('the figures, as they are written', () => {
  it('have their units', () => {
    const rows = figureRows(viewerWords, write('en'), {
      width: 1280,
      height: 720,
      framesPerSecond: 30,
      bitrate: 2_345_678,
      loss: 0.0123,
      roundTrip: 0.0416,
      latency: 0.1234,
      codec: 'VP8',
    });
    assert.deepEqual(rows, [
      ['Resolution', '1280 × 720'],
      ['Frame rate', '30'],
      ['Bitrate', '2.35 Mb/s'],
      ['Packet loss', '1.2%'],
      ['Round trip', '42 ms'],
      ['Latency', '123 ms'],
      ['Codec', 'VP8'],
    ]);
  });

  it('are empty where they are not known', () => {
    assert.deepEqual(
      figureRows(viewerWords, write('en')).map(([, value]) => value),
      ['', '', '', '', '', '', ''],
    );
  });

  it('are written as the language of the reader does', () => {
    assert.equal(milliseconds(write('de'), 1.2345), '1.235 ms');
    assert.equal(milliseconds(write('en'), 0), '0 ms');
  });
});
