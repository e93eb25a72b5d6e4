import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { withFormulas } from '../../../server/spreadsheet-text.js';
import { csvOf } from '../../../server/http/csv.js';

/** A cell after a delimiter that Excel, LibreOffice or Google Sheets would run. */
const FORMULA_CELL = /[;\t\r\n][ "]*[=+\-@＝＋－＠]/;

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
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠SUM(A1)']) {
      assert.doesNotMatch(csvOf(['a'], [{ a: text }]), FORMULA_CELL, text);
    }
    assert.equal(csvOf(['a'], [{ a: -1 }]), 'a\r\n-1\r\n', 'a number stays a number');
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.doesNotMatch(csvOf(['a'], [{ a: text }]).slice(3), /^"?[=+\-@＝＋－＠]/);
      }),
    );
  });

  it('leaves none either where a spreadsheet splits at another character, whatever it does with quotes', () => {
    for (const text of ['a;=1+1', 'a;"=1+1', 'a; -1', 'a\t@SUM(A1)', 'a\n=1', ';+1', "a;'=1"]) {
      assert.doesNotMatch(csvOf(['a', 'b'], [{ a: 'x', b: text }]), FORMULA_CELL, text);
    }
    const texts = fc.stringMatching(/^[a;\t\r\n "'=＝+@-]{0,12}$/);
    fc.assert(fc.property(texts, texts, (a, b) => assert.doesNotMatch(csvOf(['a', 'b'], [{ a, b }]), FORMULA_CELL)));
  });

  it('can be read back', () => {
    const texts = fc.oneof(fc.stringMatching(/^[a;\t\r\n "'=＝+@-]{1,12}$/), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(texts, (text) => {
        const [, [field]] = parse(csvOf(['a'], [{ a: text }]), { record_delimiter: '\r\n' }) as [string[], string[]];
        assert.equal(withFormulas(field!), text);
      }),
    );
  });
});
