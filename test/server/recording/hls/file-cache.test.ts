import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FileCache } from '../../../../server/recording/hls/file-cache.js';

describe('the cache of segments', () => {
  const made: string[] = [];
  const makeOf = (key: string, bytes: number) => async () => {
    made.push(key);
    return Buffer.alloc(bytes);
  };

  it('makes a file once for all who ask at the same time, and for those who ask later', async () => {
    made.length = 0;
    const cache = new FileCache(100);
    const files = await Promise.all([1, 2, 3].map(() => cache.get('a', makeOf('a', 10))));
    assert.equal(new Set([...files, await cache.get('a', makeOf('a', 10))]).size, 1);
    assert.deepEqual(made, ['a']);
  });

  it('forgets the file that was not asked for the longest, when there is no room', async () => {
    made.length = 0;
    const cache = new FileCache(100);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key, makeOf(key, 40));
    assert.deepEqual(made, ['a', 'b', 'c', 'b']);
    assert.equal(cache.bytes, 80);
  });

  it('keeps no file that is larger than everything it may keep', async () => {
    const cache = new FileCache(100);
    await cache.get('a', makeOf('a', 101));
    assert.equal(cache.bytes, 0);
  });

  it('keeps no failure', async () => {
    const cache = new FileCache(100);
    await assert.rejects(
      cache.get('a', () => Promise.reject(new Error('the disk is away'))),
      /away/,
    );
    assert.equal((await cache.get('a', makeOf('a', 7))).length, 7);
  });
});
