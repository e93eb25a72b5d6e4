import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenFileToAppend } from '../../../../server/recording/recorder/append-file.js';
import { diskFaultOf } from '../../../../server/recording/storage/file-fault.js';
import { isSpaceLow, leavingSpace } from '../../../../server/recording/storage/free-space.js';

const MB = 1_000_000;
const GB = 1_000 * MB;

describe('the space that recordings leave free', () => {
  for (const [what, total, least, limit] of [
    ['is a gigabyte of a large disk', 500 * GB, undefined, GB],
    ['is a twentieth of a small one', 10 * GB, undefined, 500 * MB],
    ['is what the operator says', 10 * GB, 3 * GB, 3 * GB],
    ['is nothing if the operator says so', 10 * GB, 0, 0],
  ] as const) {
    it(what, () => {
      assert.equal(isSpaceLow({ total, free: limit }, least), false);
      assert.equal(isSpaceLow({ total, free: limit - 1 }, least), true);
    });
  }
});

describe('a file that leaves space', () => {
  const written: number[] = [];
  const open: OpenFileToAppend = async () => ({
    async write(data) {
      written.push(data.length);
      return { bytesWritten: data.length };
    },
    async truncate() {},
    async datasync() {},
    async close() {},
  });
  const block = Buffer.alloc(MB);
  const isFull = (error: unknown) => diskFaultOf(error) === 'disk_full';

  it('is not begun where too little is free', async () => {
    const folders: string[] = [];
    const opening = leavingSpace(open, GB, async (folder) => {
      folders.push(folder);
      return { total: 10 * GB, free: GB - 1 };
    });
    await assert.rejects(opening('/recordings/one/part-1'), isFull);
    assert.deepEqual([folders, written], [['/recordings/one'], []]);
  });

  it('ends as on a full disk, some megabytes after too little is free', async () => {
    let free = 2 * GB;
    const file = await leavingSpace(open, GB, async () => ({ total: 10 * GB, free }))('/recordings/part-1');
    for (let count = 0; count < 10; count += 1) await file.write(block);
    assert.equal(written.length, 10);
    free = GB - 1;
    const more = async () => {
      for (let count = 0; count < 10; count += 1) await file.write(block);
    };
    await assert.rejects(more(), isFull);
    assert.ok(written.length <= 15, `${written.length} MB were written`);
  });
});
