import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { csvOf } from '../../../server/http/csv.js';

describe('csvOf', () => {
  it('writes a header and a line for each row', () => {
    const rows = [
      { a: 1, b: 'x' },
      { a: null, b: true },
    ];
    assert.equal(csvOf(['a', 'b'], rows), 'a,b\r\n1,x\r\n,true\r\n');
    assert.equal(csvOf(['a'], []), 'a\r\n');
  });

  it('has columns of objects within a row, empty where there is none', () => {
    const rows = [{ a: { b: 1 } }, { a: null }, {}];
    assert.equal(csvOf(['a.b'], rows), 'a.b\r\n1\r\n\r\n\r\n');
  });

  it('quotes commas, quotes and line breaks', () => {
    assert.equal(csvOf(['a'], [{ a: 'x,"y"\n' }]), 'a\r\n"x,""y""\n"\r\n');
  });

  it('leaves no text that a spreadsheet takes for a formula', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
      assert.ok(csvOf(['a'], [{ a: text }]).includes(`'${text}`), text);
    }
    assert.equal(csvOf(['a'], [{ a: -1 }]), 'a\r\n-1\r\n', 'a number stays a number');
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.doesNotMatch(csvOf(['a'], [{ a: text }]).slice(3), /^"?[=+\-@]/);
      }),
    );
  });
});
