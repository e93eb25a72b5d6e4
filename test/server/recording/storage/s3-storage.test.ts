import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { PartBackup } from '../../../../server/recording/recording-record.js';
import { PIECE_BYTES, S3Storage } from '../../../../server/recording/storage/s3-storage.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { s3 } from '../../../support/s3.js';
import { s3Gate, type S3Gate } from '../../../support/s3-gate.js';
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

  it('follows no redirect: the signature and the file are for the server that was named', async () => {
    const asked: string[] = [];
    const other = createServer((req, res) => {
      asked.push(req.url!);
      res.end();
    }).listen(0, '127.0.0.1');
    const named = createServer((req, res) => {
      req.resume();
      res.writeHead(307, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}${req.url}` }).end();
    }).listen(0, '127.0.0.1');
    for (const server of [other, named]) {
      if (!server.listening) await once(server, 'listening');
      cleanup.after(() => void server.close());
    }
    const { port } = named.address() as AddressInfo;
    const storage = new S3Storage({ ...(await s3(cleanup)), endpoint: `http://127.0.0.1:${port}` });
    await assert.rejects(storage.size('a'), { name: 'S3StorageError' });
    assert.deepEqual(asked, []);
  });

  describe('with the copy of a part', () => {
    const key = 'a/part-1.mkv';
    const piece = (letter: string) => Buffer.alloc(PIECE_BYTES, letter);
    const none: PartBackup = { key, uploadId: null, etags: [] };
    let gate: S3Gate;
    let storage: S3Storage;
    const onePiece = async () => await storage.addPiece(await storage.beginUpload(key), piece('a'));

    beforeEach(async () => {
      gate = await s3Gate(cleanup);
      storage = new S3Storage(gate.options);
    });

    it('makes its pieces a file, once', async () => {
      const backup = await storage.addPiece(await onePiece(), piece('b'));
      assert.equal(await storage.size(key), undefined);
      assert.equal(await storage.completeBackup(backup), 2 * PIECE_BYTES);
      const seam = { from: PIECE_BYTES - 1, to: PIECE_BYTES };
      assert.equal(String(await buffer(await storage.read(key, seam))), 'ab');
      assert.equal(await storage.completeBackup(backup), 2 * PIECE_BYTES);
    });

    it('has no file of pieces that S3 does not have any more, and none of no pieces', async () => {
      const backup = await onePiece();
      const gone = { ...backup, uploadId: 'x'.repeat(backup.uploadId.length) };
      const answer404 = createServer((req, res) => {
        if (req.method === 'HEAD') return void res.writeHead(404).end();
        res.writeHead(404, { 'content-type': 'application/xml' });
        res.end('<Error><Code>NoSuchUpload</Code></Error>');
      }).listen(0, '127.0.0.1');
      await once(answer404, 'listening');
      cleanup.after(() => answer404.close());
      const endpoint = `http://127.0.0.1:${(answer404.address() as AddressInfo).port}`;
      assert.equal(await new S3Storage({ ...gate.options, endpoint }).completeBackup(gone), 0);
      assert.equal(await storage.completeBackup(none), 0);
    });

    it('joins the objects of its tail', async () => {
      assert.equal(String(await storage.readTail(none, 0)), '');
      await storage.putTail(none, 0, { from: 0, bytes: Buffer.from('abc') });
      await storage.putTail(none, 1, { from: 3, bytes: Buffer.from('de') });
      await storage.putTail(none, 2, { from: 6, bytes: Buffer.from('after a gap') });
      assert.equal(String(await storage.readTail(none, 0)), 'abcde');
      assert.equal(String(await storage.readTail(none, 4)), 'e');
      assert.equal(String(await storage.readTail(none, 5)), '');
    });

    it('removes all of it, once or again', async () => {
      const backup = await onePiece();
      await storage.putTail(backup, 15, { from: PIECE_BYTES, bytes: Buffer.from('b') });
      await storage.completeBackup(backup);
      await storage.dropBackup(backup);
      await storage.dropBackup(backup);
      assert.equal(await storage.size(key), undefined);
      assert.equal(String(await storage.readTail(backup, PIECE_BYTES)), '');
      assert.ok(gate.requests.includes(`DELETE /recordings/live/${key}?uploadId=${backup.uploadId}`));
    });

    it('is not taken for gone while S3 does not answer', async () => {
      const backup = await onePiece();
      for (const state of ['away', 'forbidden'] as const) {
        gate.state = state;
        await assert.rejects(storage.completeBackup(backup), { name: 'S3StorageError' });
        await assert.rejects(storage.readTail(backup, 0), { name: 'S3StorageError' });
        await assert.rejects(storage.dropBackup(backup), { name: 'S3StorageError' });
      }
    });
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

  it('ends a request that S3 does not answer in time, and gives a player a file as slowly as it plays', async () => {
    let finish = (): void => {};
    const slow = createServer((req, res) => {
      // Of the other file there is never an answer.
      if (req.method === 'HEAD') return;
      res.writeHead(206, { 'content-length': '10' }).write('first');
      finish = () => void res.end('later');
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    cleanup.after(() => slow.close());
    cleanup.after(() => slow.closeAllConnections());
    const endpoint = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const storage = new S3Storage({ ...(await s3(cleanup)), endpoint }, 1_000);
    const body = await storage.read('a', { from: 0, to: 9 });
    await assert.rejects(storage.size('b'), { message: 'S3 could not find a file: it did not answer (TimeoutError)' });
    finish();
    assert.equal(String(await buffer(body)), 'firstlater');
  });
});
