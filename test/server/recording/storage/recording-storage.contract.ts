import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { RecordingStorage } from '../../../../server/recording/storage/recording-storage.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';

const KEY = 'account/recording/recording.mp4';

/** The contract of RecordingStorage. `open` returns an empty storage. */
export function recordingStorageContract(name: string, open: (cleanup: Cleanup) => Promise<RecordingStorage>): void {
  describe(`${name} as a RecordingStorage`, () => {
    const cleanup = new Cleanup();
    let storage: RecordingStorage;
    let file: string;

    beforeEach(async () => {
      storage = await open(cleanup);
      file = join(await dataFolder(cleanup), 'a.mp4');
      await writeFile(file, '0123456789');
    });
    afterEach(() => cleanup.run());

    it('gives back what was stored, whole and in parts', async () => {
      await storage.put(KEY, file, 'video/mp4');
      assert.equal(await storage.size(KEY), 10);
      assert.equal(String(await buffer(await storage.read(KEY, { from: 0, to: 9 }))), '0123456789');
      assert.equal(String(await buffer(await storage.read(KEY, { from: 3, to: 5 }))), '345');
      assert.equal(String(await buffer(await storage.read(KEY, { from: 9, to: 9 }))), '9');
    });

    it('stores files of many megabytes', async () => {
      const bytes = Buffer.alloc(20_000_001, 'abcdefg');
      await writeFile(file, bytes);
      await storage.put(KEY, file, 'video/mp4');
      assert.equal(await storage.size(KEY), bytes.length);
      const read = await buffer(await storage.read(KEY, { from: 0, to: bytes.length - 1 }));
      assert.equal(read.equals(bytes), true);
    });

    it('replaces a file', async () => {
      await storage.put(KEY, file, 'video/mp4');
      await writeFile(file, 'new');
      await storage.put(KEY, file, 'video/mp4');
      assert.equal(await storage.size(KEY), 3);
    });

    it('knows no file that was not stored, or was removed', async () => {
      assert.equal(await storage.size(KEY), undefined);
      await assert.rejects(storage.read(KEY, { from: 0, to: 1 }));
      await storage.put(KEY, file, 'video/mp4');
      await storage.remove([KEY, 'account/recording/none']);
      assert.equal(await storage.size(KEY), undefined);
    });

    it('takes no key that leads out of it', async () => {
      const step = fc.constantFrom('..', '.', 'a', '');
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (before) => {
          const key = [...before, '..', '..', '..', '..', '..', 'b'].join('/');
          for (const work of [
            () => storage.put(key, file, 'video/mp4'),
            () => storage.size(key),
            () => storage.read(key, { from: 0, to: 1 }),
            () => storage.remove([key]),
          ]) {
            await assert.rejects(work, /leads out of its folder/);
          }
        }),
        { numRuns: 20 },
      );
    });
  });
}
