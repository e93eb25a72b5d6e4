import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { costRow, repeated } from '../../support/cost.js';
import { costTable } from './cost-table.js';

describe('what strangers send costs little time and memory, in proportion to its size:', () => {
  for (const row of costTable) it(row.name, () => row.check());
});

describe('the measure of cost', () => {
  const row = (read: (text: string) => unknown) =>
    costRow({ name: '', parsers: [], limit: 16_384, inputs: repeated('a,'), read });

  it('accepts what is linear', () => row((text) => text.split(',')).check());

  it('accepts a refusal', () =>
    row((text) => {
      throw new RangeError(`${text.length} characters are too many`);
    }).check());

  it('finds code that is quadratic, although it is fast at the limit', async () => {
    const quadratic = (text: string) => {
      const seen: string[] = [];
      for (let at = 0; at < text.length; at += 8) if (!seen.includes(String(at))) seen.push(String(at));
      return seen.length;
    };
    await assert.rejects(row(quadratic).check(), /Property failed/);
  });

  it('finds code that is slow', async () => {
    const slow = (text: string) => {
      let sum = 0;
      for (let at = 0; at < text.length * 10_000; at++) sum += at % 7;
      return sum;
    };
    await assert.rejects(row(slow).check(), /Property failed/);
  });

  it('finds code that takes much memory', async () => {
    await assert.rejects(row((text) => Array.from(text, () => [text, text])).check(), /Property failed/);
  });

  it('finds errors that are not Errors', async () => {
    const read = (text: string) => {
      // oxlint-disable-next-line only-throw-error
      throw text;
    };
    await assert.rejects(row(read).check(), /Property failed/);
  });
});
