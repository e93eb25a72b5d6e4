import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasTooMuchJson, parseJson, TooMuchJsonError } from '../../server/bounded-json.js';

describe('parseJson', () => {
  it('reads as JSON.parse does', () =>
    fc.assert(fc.property(fc.json({ maxDepth: 6 }), (text) => assert.deepEqual(parseJson(text), JSON.parse(text)))));

  it('refuses what is not JSON as JSON.parse does', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '{', ']', ',', 'a', '1') }), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        if (!isJson) assert.throws(() => parseJson(text), SyntaxError);
        assert.equal(hasTooMuchJson(text), false);
      }),
    ));

  it('takes the longest lists of a token, and a thousand ids', () => {
    const rules = Array.from({ length: 1_000 }, (_, index) => ({ streamName: `a${index}`, isRegex: false }));
    const origins = Array.from({ length: 1_000 }, (_, index) => `https://${index}.example`);
    const ids = Array.from({ length: 1_000 }, (_, index) => index % 10);
    for (const value of [{ streams: rules, allowedOrigins: origins }, { tokenIds: ids }])
      assert.deepEqual(parseJson(JSON.stringify(value)), value);
  });

  it('takes no value in a text for one of JSON', () => {
    const text = '\\"[{,'.repeat(20_000);
    assert.equal(parseJson(JSON.stringify(text)), text);
  });

  it('refuses many values, fields and levels', () => {
    for (const text of [
      `[${'{},'.repeat(2_000)}1]`,
      `[${'1,'.repeat(5_000)}1]`,
      '['.repeat(33),
      `{${'"a":1,'.repeat(257)}`,
      `${'{"a":'.repeat(33)}`,
    ])
      assert.throws(() => parseJson(text), TooMuchJsonError);
  });
});
