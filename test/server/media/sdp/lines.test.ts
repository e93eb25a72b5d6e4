import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attributeValue, readLines } from '../../../../server/media/sdp/lines.js';

const linesOf = (text: string): string[] => {
  const lines: string[] = [];
  readLines(text, (letter, value) => lines.push(letter === '' ? value : `${letter}=${value}`));
  return lines;
};

describe('the lines of SDP', () => {
  it('are a letter and a value each, or something else', () => {
    const lines: [string, string][] = [];
    readLines('v=0\r\na=b=c\r\nx\r\nm=\r\n', (letter, value) => lines.push([letter, value]));
    assert.deepEqual(lines, [
      ['v', '0'],
      ['a', 'b=c'],
      ['', 'x'],
      ['m', ''],
    ]);
  });

  it('end with any line ending, and none of them is empty', () => {
    const text = fc.array(fc.constantFrom('a', '=', 'bc', '\r', '\n', '\r\n', '\u2028'), { maxLength: 30 });
    fc.assert(
      fc.property(text, (parts) => {
        const all = parts.join('');
        assert.deepEqual(linesOf(all), all.split(/[\r\n]/).filter(Boolean));
      }),
    );
  });
});

describe('the value of an attribute', () => {
  it('is behind its name and a colon, without the spaces around it', () => {
    assert.deepEqual(
      ['mid:0', 'mid: a b ', 'mid:', 'mid', 'midi:0', 'x:mid', 'x'].map((attribute) =>
        attributeValue(attribute, 'mid'),
      ),
      ['0', 'a b', '', undefined, undefined, undefined, undefined],
    );
  });
});
