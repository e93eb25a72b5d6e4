import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RowDigest, type Row } from '../../../../server/store/move/row-digest.js';

const cell = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 20 });

function digestOf(all: readonly Row[]): RowDigest {
  const digest = new RowDigest();
  for (const row of all) digest.add(row);
  return digest;
}

describe('the digest of rows', () => {
  it('is the same in every order', () => {
    fc.assert(
      fc.property(rows, fc.infiniteStream(fc.nat()), (all, keys) => {
        const shuffled = all.map((row) => ({ row, key: keys.next().value! })).toSorted((a, b) => a.key - b.key);
        assert.ok(digestOf(all).equals(digestOf(shuffled.map(({ row }) => row))));
      }),
    );
  });

  it('differs if one cell differs', () => {
    fc.assert(
      fc.property(rows, fc.nat(), cell, (all, at, other) => {
        const index = at % all.length;
        fc.pre(all[index]![0] !== other);
        const changed = all.with(index, all[index]!.with(0, other));
        assert.ok(!digestOf(all).equals(digestOf(changed)));
      }),
    );
  });

  it('differs if a row is missing or there twice', () => {
    fc.assert(
      fc.property(rows, (all) => {
        assert.ok(!digestOf(all).equals(digestOf(all.slice(1))));
        assert.ok(!digestOf(all).equals(digestOf([...all, all[0]!])));
      }),
    );
  });

  it('tells a number from the text of its digits, and NULL from an empty text', () => {
    assert.ok(!digestOf([[1]]).equals(digestOf([['1']])));
    assert.ok(!digestOf([[null]]).equals(digestOf([['']])));
  });
});
