import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { costRow, mustAllBeCheap, repeated, repeatedText } from '../../support/cost.js';
import { costTable } from './cost-table.js';

describe('what strangers send costs little time and memory, in proportion to its size:', () => {
  for (const row of costTable) it(row.name, () => row.check());
});

/** An error whose cause says so. */
const becauseOf = (message: RegExp) => (error: unknown) =>
  error instanceof Error && error.cause instanceof Error && message.test(error.cause.message);

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

  for (const limit of [256, 2_048, 65_536])
    it(`finds that code is quadratic with ${limit} characters, in much less than a millisecond`, async () => {
      const read = (text: string) => {
        let sum = 0;
        const count = text.length * Math.min(1, 2_048 / limit);
        for (let at = 0; at < count; at++) for (let other = 0; other < count; other += 16) sum += at ^ other;
        return sum;
      };
      const small = costRow({ name: '', parsers: [], limit, inputs: repeated('a,'), read });
      await assert.rejects(small.check(), becauseOf(/not linear/));
      const all = mustAllBeCheap({ name: '', parsers: [], limit, read }, [{ name: '', grow: repeatedText('a,') }]);
      await assert.rejects(all, /not linear/);
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

  it('finds what takes little memory in all, but much for what is read', async () => {
    const small = { name: '', parsers: [], limit: 1_200, inputs: repeated('a') };
    const read = (text: string) => Array.from(text, (_, index) => ({ index }));
    await assert.rejects(costRow({ ...small, read }).check(), becauseOf(/bytes of memory/));
  });

  it('finds errors that are not Errors', async () => {
    const read = (text: string) => {
      // oxlint-disable-next-line only-throw-error
      throw text;
    };
    await assert.rejects(row(read).check(), /Property failed/);
  });
});
