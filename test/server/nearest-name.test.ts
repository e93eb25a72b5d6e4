import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { editDistance, nearestName } from '../../server/nearest-name.js';

const word = fc.string({ unit: fc.constantFrom('A', 'B', '_'), maxLength: 8 });

describe('editDistance', () => {
  it('counts letters that are added, removed, replaced and swapped', () => {
    for (const [from, to, edits] of [
      ['', 'ABC', 3],
      ['stream', 'strem', 1],
      ['stream', 'streams', 1],
      ['label', 'lable', 1],
      ['TRUSTED_PROXY', 'TRUSTED_PROXIES', 3],
      ['kitten', 'sitting', 3],
    ] as const) {
      assert.equal(editDistance(from, to), edits, `${from} ${to}`);
    }
  });

  it('is symmetric, 0 for the same word, and between the difference in length and the longer length', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const edits = editDistance(one, other);
        assert.equal(edits, editDistance(other, one));
        assert.equal(edits === 0, one === other);
        assert.ok(edits >= Math.abs(one.length - other.length));
        assert.ok(edits <= Math.max(one.length, other.length));
      }),
    );
  });

  it('is 1 after one edit that changes the word', () => {
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('add', 'remove', 'replace', 'swap'), (one, seed, edit) => {
        const at = one.length === 0 ? 0 : seed % one.length;
        const [head, letter = '', tail] = [one.slice(0, at), one[at], one.slice(at + 1)];
        const other = {
          add: `${head}C${letter}${tail}`,
          remove: head + tail,
          replace: `${head}C${tail}`,
          swap: head + tail.slice(0, 1) + letter + tail.slice(1),
        }[edit];
        assert.equal(editDistance(one, other), one === other ? 0 : 1);
      }),
    );
  });
});

describe('nearestName', () => {
  const third = (length: number) => Math.floor(length / 3);

  it('returns the nearest name, or none if all are too different', () => {
    const names = ['stream', 'pattern', 'expires'];
    assert.equal(nearestName('strem', names, third), 'stream');
    assert.equal(nearestName('patern', names, third), 'pattern');
    assert.equal(nearestName('label', names, third), undefined);
  });
});
