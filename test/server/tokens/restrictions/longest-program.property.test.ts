import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { longestProgram } from '../../../../server/tokens/restrictions/longest-program.js';
import { anyCharacter } from '../../../support/any-character.js';

/** Patterns of RE2, by its grammar. */
const { pattern } = fc.letrec<{ pattern: string; piece: string; atom: string }>((tie) => ({
  pattern: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc
    .tuple(
      tie('atom'),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant('') },
        fc.constantFrom('*', '+', '?', '*?', '{0}', '{3}', '{2,}', '{0,}', '{1,7}', '{20}', '{0,9}?', '|'),
      ),
    )
    .map((parts) => parts.join('')),
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', '.', 'é', '🎥', '^', '$', '-', ' '),
    fc.constantFrom('\\d', '\\pL', '\\p{Greek}', '\\PN', '\\.', '\\x{10FFFF}', '\\b', '\\\\'),
    fc.constantFrom('[a-z]', '[^]a]', '[]{9}]', '[[:alpha:]]', '[\\]{9}]', '[{9}]', '[(]', '[^\\pL0-9]', '[\\Qa]'),
    fc.constantFrom('\\Qa(b{9}\\E', '\\Q[\\E', '\\Q\\E', '(?i)', '(?:)'),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
    tie('pattern').map((inner) => `(?i:${inner})`),
    tie('pattern').map((inner) => `(?P<name>${inner})`),
  ),
}));

describe('the longest program of a pattern', () => {
  it('is never shorter than its program', () => {
    fc.assert(
      fc.property(pattern, (text) => {
        let size: number;
        try {
          size = RE2JS.compile(text).programSize();
        } catch {
          return;
        }
        // A program has an instruction at its begin and at its end.
        assert.ok(size <= longestProgram(text) + 4, `${text}: ${size} of ${longestProgram(text)}`);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is near the size of the program for patterns as people write them', () => {
    for (const text of ['room-[0-9]{1,3}', '[a-z]{1,99}.*', '[a-z]{64}-[0-9]{64}', '(?:a|b|ab){1,40}', 'a{1,1000}']) {
      const size = RE2JS.compile(text).programSize();
      assert.ok(longestProgram(text) <= 5 * size, `${text}: ${size} of ${longestProgram(text)}`);
    }
  });

  it('is found in the text alone, of anything', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => assert.ok(longestProgram(text) >= 0)));
  });
});
