import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { afterEach, describe, it } from 'node:test';
import { finish } from '../../../../server/recording/packager/finish.js';
import { restorePart } from '../../../../server/recording/storage/part-restore.js';
import { PIECE_BYTES, S3Storage } from '../../../../server/recording/storage/s3-storage.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { decodeFile } from '../../../support/recording/decode-file.js';
import { inOrder, soundFrames, videoFrames } from '../../../support/recording/encoded-media.js';
import { recordFrames } from '../../../support/recording/record-frames.js';
import { s3 } from '../../../support/s3.js';

const STARTS_AT = 1_700_000_000_000;

describe('a part that is fetched from S3', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('becomes a file without errors wherever its copy ends', async () => {
    const folder = await dataFolder(cleanup);
    const storage = new S3Storage(await s3(cleanup));
    const seconds = 12;
    // A piece, and an end.
    const video = await videoFrames({ codec: 'h264', seconds, kilobits: 9_000, size: '1280x720' });
    const frames = inOrder(STARTS_AT, video, await soundFrames(seconds));
    const { start } = await recordFrames(folder, frames, { video: { codec: 'h264' }, audio: { codec: 'opus' } });
    const part = await readFile(start.file);
    assert.ok(part.length > PIECE_BYTES, `${part.length}`);
    const backup = await storage.addPiece(await storage.beginUpload('a/part-1.mkv'), part.subarray(0, PIECE_BYTES));
    const end = PIECE_BYTES + Math.floor((part.length - PIECE_BYTES) * 0.7);
    await storage.putTail(backup, 0, { from: PIECE_BYTES, bytes: part.subarray(PIECE_BYTES, end) });

    const path = join(folder, 'restored.mkv');
    assert.equal(await restorePart(storage, backup, path), end);
    assert.deepEqual(await readFile(path), part.subarray(0, end));
    const finished = await finish([{ file: path, startsAt: STARTS_AT }], join(folder, 'recording'));
    const decoded = await decodeFile(finished.file);
    assert.equal(decoded.errors, '');
    assert.ok(decoded.video.length > (video.length * PIECE_BYTES) / part.length / 1.5, `${decoded.video.length}`);
  });

  it('has no file if S3 has nothing of it', async () => {
    const storage = new S3Storage(await s3(cleanup));
    const path = join(await dataFolder(cleanup), 'restored.mkv');
    assert.equal(await restorePart(storage, { key: 'a/part-1.mkv', uploadId: null, etags: [] }, path), 0);
    assert.equal(existsSync(path), false);
  });
});
