import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inOrderOfReferences } from '../../../../server/store/move/table-order.js';

describe('the order of tables', () => {
  it('has each table after those that it refers to', () => {
    const tables = [
      { name: 'stream', refersTo: ['token'] },
      { name: 'token', refersTo: ['account'] },
      { name: 'account', refersTo: [] },
    ];
    assert.deepEqual(inOrderOfReferences(tables), ['account', 'token', 'stream']);
  });

  it('ignores references of a table to itself', () => {
    assert.deepEqual(inOrderOfReferences([{ name: 'part', refersTo: ['part'] }]), ['part']);
  });

  it('fails for tables that refer to each other', () => {
    const tables = [
      { name: 'a', refersTo: ['b'] },
      { name: 'b', refersTo: ['a'] },
    ];
    assert.throws(() => inOrderOfReferences(tables), /a, b/);
  });
});
