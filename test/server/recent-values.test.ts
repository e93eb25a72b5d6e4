import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecentValues } from '../../server/recent-values.js';

describe('RecentValues', () => {
  it('knows the values of the last texts, and no more than it may', () => {
    const values = new RecentValues<number>(2);
    values.set('a', 1);
    values.set('b', 2);
    assert.deepEqual([values.get('a'), values.get('b'), values.get('c')], [1, 2, undefined]);
    values.set('c', 3);
    assert.deepEqual([values.get('a'), values.get('b'), values.get('c')], [undefined, undefined, 3]);
  });
});
