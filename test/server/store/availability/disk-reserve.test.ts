import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DiskFullError } from '../../../../server/errors.js';
import {
  DiskReserve,
  allowOnFullDisk,
  isReserveAllowed,
  RESERVE_FILE,
} from '../../../../server/store/availability/disk-reserve.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';

const BYTES = 1_000_000;

describe('DiskReserve', () => {
  const cleanup = new Cleanup();
  let folder: string;
  let reserve: DiskReserve;
  beforeEach(async () => {
    folder = await dataFolder(cleanup);
    reserve = new DiskReserve(folder, BYTES);
  });
  afterEach(() => cleanup.run());

  const size = async () => (await stat(join(folder, RESERVE_FILE))).size;

  it('occupies real disk space, readable by its owner only', async () => {
    assert.ok(reserve.take());
    const { blocks, mode } = await stat(join(folder, RESERVE_FILE));
    assert.ok(blocks * 512 >= BYTES);
    assert.equal(mode & 0o777, 0o600);
  });

  it('fills up to its size, and never beyond', async () => {
    await writeFile(join(folder, RESERVE_FILE), 'a little');
    assert.ok(reserve.take() && reserve.take());
    assert.equal(await size(), BYTES);
  });

  it('releases its space, and returns whether it held any', async () => {
    assert.equal(reserve.release(), false);
    reserve.take();
    assert.deepEqual([reserve.release(), await size(), reserve.release()], [true, 0, false]);
  });

  it('checks for free space without leaving a file', async () => {
    assert.deepEqual([reserve.isDiskFull(), reserve.restore()], [false, true]);
    assert.deepEqual(await readdir(folder), [RESERVE_FILE]);
  });

  it('counts a missing folder as full', () => {
    const nowhere = new DiskReserve(join(folder, 'nowhere'));
    assert.deepEqual([nowhere.take(), nowhere.release(), nowhere.isDiskFull()], [false, false, true]);
  });
});

describe('allowOnFullDisk', () => {
  it('repeats the work once if the disk is full', async () => {
    const full = new DiskFullError();
    const turns: boolean[] = [];
    const work = (times: number) => async () => {
      turns.push(isReserveAllowed());
      if (turns.length <= times) throw full;
      return 'done';
    };
    assert.equal(await allowOnFullDisk(work(1)), 'done');
    assert.deepEqual(turns.splice(0), [true, true]);
    await assert.rejects(allowOnFullDisk(work(2)), full);
    assert.equal(turns.length, 2);
    assert.equal(isReserveAllowed(), false);
  });

  it('does not repeat the work after another error', async () => {
    let turns = 0;
    const work = async () => {
      turns += 1;
      throw new Error('no');
    };
    await assert.rejects(allowOnFullDisk(work), /no/);
    assert.equal(turns, 1);
  });
});
