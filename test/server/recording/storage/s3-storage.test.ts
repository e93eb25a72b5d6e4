import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, it } from 'node:test';
import { S3Storage, SMALLEST_PIECE } from '../../../../server/recording/storage/s3-storage.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { s3 } from '../../../support/s3.js';
import { recordingStorageContract } from './recording-storage.contract.js';

recordingStorageContract('S3', async (cleanup) => new S3Storage(await s3(cleanup)));

describe('S3Storage', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('gives a URL that saves the file without a key', async () => {
    const storage = new S3Storage(await s3(cleanup));
    const file = join(await dataFolder(cleanup), 'a');
    await writeFile(file, 'media');
    await storage.put('a/b.mp4', file, 'video/mp4');
    const url = await storage.downloadUrl('a/b.mp4', { fileName: 'b.mp4', contentType: 'video/mp4', seconds: 60 });
    const answer = await fetch(url);
    assert.deepEqual(
      [answer.status, answer.headers.get('content-disposition'), await answer.text()],
      [200, 'attachment; filename="b.mp4"', 'media'],
    );
  });

  it('keeps the pieces of a part that grows, and makes them a file', async () => {
    const storage = new S3Storage(await s3(cleanup));
    let backup = await storage.beginBackup('a/part-1.mkv', 'video/x-matroska');
    backup = await storage.addPiece('a/part-1.mkv', backup, Buffer.alloc(SMALLEST_PIECE, 'a'));
    backup = await storage.addPiece('a/part-1.mkv', backup, Buffer.alloc(SMALLEST_PIECE, 'b'));
    assert.equal(await storage.size('a/part-1.mkv'), undefined);
    await storage.completeBackup('a/part-1.mkv', backup);
    assert.equal(await storage.size('a/part-1.mkv'), 2 * SMALLEST_PIECE);
    const seam = { from: SMALLEST_PIECE - 1, to: SMALLEST_PIECE };
    assert.equal(String(await buffer(await storage.read('a/part-1.mkv', seam))), 'ab');
  });

  // s3rver does not know this call.
  it('drops the pieces of a part', async () => {
    const asked: string[] = [];
    const server = createServer((req, res) => {
      asked.push(`${req.method} ${req.url}`);
      res.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const storage = new S3Storage({ ...(await s3(cleanup)), endpoint: `http://127.0.0.1:${port}` });
    await storage.dropBackup('a/part-1.mkv', { uploadId: 'u1', etags: [] });
    assert.deepEqual(asked, ['DELETE /recordings/live/a/part-1.mkv?uploadId=u1']);
  });

  it('says what S3 answered, without a key or a signature', async () => {
    const options = await s3(cleanup);
    const secret = 'a-secret-that-nobody-may-read';
    const storage = new S3Storage({ ...options, secretAccessKey: secret, accessKeyId: 'AKIAUNKNOWN' });
    await assert.rejects(storage.size('a'), (error: Error & { status?: number }) => {
      assert.equal(error.status, 403);
      const shown = JSON.stringify(error, Object.getOwnPropertyNames(error));
      assert.doesNotMatch(shown, /AKIAUNKNOWN|nobody-may-read|Signature=/);
      assert.equal(error.cause, undefined);
      return true;
    });
  });

  it('says that S3 cannot be reached', async () => {
    const storage = new S3Storage({ ...(await s3(cleanup)), endpoint: 'http://127.0.0.1:9' });
    await assert.rejects(storage.size('a'), { name: 'S3StorageError', status: undefined });
  });
});
