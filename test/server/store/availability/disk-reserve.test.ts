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

  it('takes real space, readable to its owner only', async () => {
    assert.ok(reserve.take());
    const { blocks, mode } = await stat(join(folder, RESERVE_FILE));
    assert.ok(blocks * 512 >= BYTES);
    assert.equal(mode & 0o777, 0o600);
  });

  it('takes what is missing, and never more', async () => {
    await writeFile(join(folder, RESERVE_FILE), 'a little');
    assert.ok(reserve.take() && reserve.take());
    assert.equal(await size(), BYTES);
  });

  it('gives it up, and says whether there was any', async () => {
    assert.equal(reserve.release(), false);
    reserve.take();
    assert.deepEqual([reserve.release(), await size(), reserve.release()], [true, 0, false]);
  });

  it('looks for room without leaving anything', async () => {
    assert.deepEqual([reserve.isDiskFull(), reserve.restore()], [false, true]);
    assert.deepEqual(await readdir(folder), [RESERVE_FILE]);
  });

  it('counts a folder that is gone as full', () => {
    const nowhere = new DiskReserve(join(folder, 'nowhere'));
    assert.deepEqual([nowhere.take(), nowhere.release(), nowhere.isDiskFull()], [false, false, true]);
  });
});

describe('evenOnFullDisk', () => {
  it('does the work again, once, when the disk turned out to be full', async () => {
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

  it('does it no second time for any other reason', async () => {
    let turns = 0;
    const work = async () => {
      turns += 1;
      throw new Error('no');
    };
    await assert.rejects(allowOnFullDisk(work), /no/);
    assert.equal(turns, 1);
  });
});
