import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { processId } from '../support/child-processes.js';
import { Cleanup } from '../support/cleanup.js';
import { whep } from '../support/ingest-client.js';
import { RtpPeer } from '../support/media/rtp-peer.js';
import { until } from '../support/media/until.js';
import { RecordedBroadcasts, untilAsked } from '../support/recording/recorded-broadcasts.js';
import { openFaults, type Faults } from '../support/recording/recording-faults.js';

const TOLD = { slow: 'disk_slow', full: 'disk_full', 'read-only': 'disk_failed' } as const;

// Two servers with a disk and an S3 of their own, side by side: what is tested here waits more than it computes.
describe('a broadcast', { concurrency: true }, () => {
  /** A server, and a broadcast that is watched. */
  const aServer = () => {
    const cleanup = new Cleanup();
    const parts: { faults?: Faults; broadcasts?: RecordedBroadcasts } = {};
    before(async () => {
      parts.faults = await openFaults();
      cleanup.after(() => parts.faults!.close());
      parts.broadcasts = await RecordedBroadcasts.open(cleanup, parts.faults.environment);
    });
    after(() => cleanup.run());
    const broadcastOf = async (name: string) => {
      const broadcasts = parts.broadcasts!;
      const token = await broadcasts.tokens.publish(name, { record: true });
      let publisher = await broadcasts.publish(name, { token });
      const viewer = await RtpPeer.open({ role: 'viewer' });
      cleanup.after(() => viewer.close());
      const { server } = broadcasts;
      // A busy media engine asks players to try again later.
      let answer = await whep(server, { body: viewer.offer }, `main/${name}`);
      await untilAsked('the viewer is accepted', async () => {
        if (answer.status !== 201) answer = await whep(server, { body: viewer.offer }, `main/${name}`);
        return answer.status === 201;
      });
      await viewer.accept({ answer: answer.text });
      const now = async () => (await broadcasts.api.of(name))[0];
      return {
        now,
        leave: () => publisher.close(),
        /** The next part begins. */
        async reconnect() {
          await publisher.leave();
          publisher = await broadcasts.publish(name, { token });
        },
        grows: (seconds: number) => broadcasts.grows(name, seconds),
        /** The owner is told, while the viewer is sent pictures. */
        async isToldOf(fault: string | null) {
          await untilAsked(`the owner is told ${fault}`, async () => (await now())?.fault === fault);
          const received = viewer.received('video');
          await until('the stream is live', () => viewer.received('video') > received + 10);
        },
        /** @returns what the owner is told of the file, and the number of its pictures, all of which can be decoded */
        async end() {
          await broadcasts.api.stop(name);
          const [ready] = await broadcasts.ready(name);
          const { errors, video } = await broadcasts.api.decoded(ready!);
          assert.equal(errors, '');
          return { fault: ready!.fault, pictures: video.length };
        },
      };
    };
    return {
      broadcastOf,
      get faults() {
        return parts.faults!;
      },
      get broadcasts() {
        return parts.broadcasts!;
      },
    };
  };

  describe('whose disk fails', { concurrency: false }, () => {
    const own = aServer();

    for (const fault of ['full', 'read-only', 'slow'] as const) {
      it(`is live while the disk is ${fault}, the owner is told, and what was written can be read`, async () => {
        const { broadcasts, faults } = own;
        const broadcast = await own.broadcastOf(fault);
        await broadcast.grows(1);
        const repair = faults.breakDisk(fault);
        // A file that is open can be written: the next part cannot be created.
        if (fault === 'read-only') process.kill(processId(broadcasts.server, 'recorder'), 'SIGKILL');
        await broadcast.isToldOf(TOLD[fault]);
        assert.equal((await broadcast.now())?.state, 'recording');
        repair();
        await broadcast.grows(1);
        const { fault: kept, pictures } = await broadcast.end();
        assert.equal(kept, TOLD[fault]);
        assert.ok(pictures > 12, `${pictures} pictures`);
      });
    }
  });

  describe('that is copied to S3', { concurrency: false }, () => {
    const own = aServer();

    it('is live and recorded while S3 is away, the owner is told, and the copy is taken up again', async () => {
      const { broadcasts, faults } = own;
      const broadcast = await own.broadcastOf('away');
      await broadcast.grows(1);
      faults.s3.state = 'away';
      // A part that has ended is copied at once.
      await broadcast.reconnect();
      await broadcast.isToldOf('upload_failed');
      assert.equal((await broadcast.now())?.state, 'recording');
      await broadcast.grows(1);
      const { fault, pictures } = await broadcast.end();
      assert.equal(fault, 'upload_failed');
      assert.ok(pictures > 12, `${pictures} pictures`);
      faults.s3.state = 'open';
      await untilAsked('the owner is told that it is copied', async () => (await broadcast.now())?.fault === null);
      await until('it is copied', () => broadcasts.server.output().includes('a recording was copied to S3'));
    });

    it('is made a file from its copy in S3 by another server when the machine is lost with its folder', async () => {
      const { broadcasts, faults } = own;
      const { server, api } = broadcasts;
      const broadcast = await own.broadcastOf('lost');
      const lost = async () => (await broadcast.now())!;
      await untilAsked('it is recorded', async () => (await broadcast.now()) !== undefined);
      const copies = () => faults.s3.requests.filter((request) => request.startsWith('PUT')).length;
      const before = copies();
      await until('the first seconds are copied', () => copies() > before);
      await broadcast.leave();
      const { id } = await lost();
      for (const name of await readdir(faults.folder)) await rm(join(faults.folder, name), { recursive: true });
      // With an empty folder, it is another server.
      await server.restart('SIGKILL');
      await api.takeOver(await lost());
      assert.equal((await lost()).state, 'recording');
      const database = new DatabaseSync(join(server.dataDir, 'streamgate.db'));
      // Two minutes are long for a test.
      database.exec('UPDATE recording_server SET running_on = running_on - 120000');
      database.close();
      await api.takeOver(await lost());
      const [ready] = await broadcasts.ready('lost');
      assert.deepEqual([ready!.id, ready!.fault], [id, 'recorder_lost']);
      const { errors, video } = await api.decoded(ready!);
      assert.equal(errors, '');
      assert.ok(video.length > 50, `${video.length} pictures`);
    });
  });
});
