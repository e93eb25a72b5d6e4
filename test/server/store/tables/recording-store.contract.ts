import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import type { RecordingRecord } from '../../../../server/recording/recording-record.js';
import type { RecordingStore } from '../../../../server/recording/recording-store.js';
import type { Database } from '../../../../server/store/schema.js';
import type { TokenStore } from '../../../../server/tokens/token-store.js';
import type { RecordingsQuery } from '../../../../src/wire/management/recording.js';
import { Cleanup } from '../../../support/cleanup.js';
import { aRecordedPart, aRecording, RECORDED_ON, recordingIdOf } from '../../../support/recording.js';
import { aTokenRecord } from '../../../support/token.js';

export interface RecordingStores {
  readonly recordings: RecordingStore;
  readonly audit: AuditStore;
  readonly tokens: TokenStore;
  readonly db: Database;
}

/** The contract of RecordingStore. `open` returns empty stores with the accounts acme and other. */
export function recordingStoreContract(name: string, open: (cleanup: Cleanup) => Promise<RecordingStores>): void {
  describe(`${name} as a RecordingStore`, () => {
    const cleanup = new Cleanup();
    let { recordings, audit, tokens, db }: RecordingStores = {} as RecordingStores;

    beforeEach(async () => {
      ({ recordings, audit, tokens, db } = await open(cleanup));
    });
    afterEach(() => cleanup.run());

    const add = async (number: number, fields: Partial<RecordingRecord> = {}) => {
      const recording = aRecording({ id: recordingIdOf(number), ...fields });
      await recordings.add(recording);
      return recording;
    };
    const numbers = (found: readonly RecordingRecord[]) => found.map(({ id }) => Number(id.slice(1)));
    const listed = async (query: Partial<RecordingsQuery> = {}) => {
      const page = await recordings.list('acme', { page: 1, itemsOnPage: 100, ...query });
      return [numbers(page.recordings), page.total];
    };
    const changes = async () =>
      (await audit.list('acme', { page: 1, itemsOnPage: 9 })).entries
        .filter(({ action }) => /^(recording|clip)_/.test(action))
        .map(({ action, target, targetName, before, after }) => {
          if (target.kind === 'recording') assert.equal(targetName, 'main', action);
          return { action, id: target.id, before, after };
        });

    it('returns what was saved', async () => {
      const parts = [
        aRecordedPart({ backup: { key: 'a/part-1.mkv', uploadId: 'u', etags: ['a', 'b'] } }),
        aRecordedPart({ name: 'part-2.mkv', video: null, audio: null }),
      ];
      const bytes = 5_000_000_000_000;
      const recording = await add(1, { parts, bytes, sourceId: 'camera-2', fault: 'disk_full', expiresOn: 7 });
      assert.deepEqual(await recordings.findAny(recording.id), recording);
      assert.deepEqual(await recordings.find('acme', recording.id), recording);
      assert.equal(await recordings.find('other', recording.id), undefined);
      assert.equal(await recordings.findAny(recordingIdOf(2)), undefined);
    });

    it('saves everything but the expiry', async () => {
      const recording = await add(1, { state: 'recording', endedOn: null, container: null, expiresOn: 5 });
      const changed = { ...recording, state: 'ready', endedOn: 9, container: 'webm', location: 's3' } as const;
      assert.equal(await recordings.save({ ...changed, expiresOn: null }), true);
      assert.deepEqual(await recordings.findAny(recording.id), changed);
    });

    it('saves nothing of a recording that was deleted', async () => {
      const recording = await add(1);
      await recordings.remove('acme', recording.id, 1);
      assert.equal(await recordings.save(recording), false);
      assert.equal(await recordings.findAny(recording.id), undefined);
    });

    it('divides a recording in one step, and not one that is gone or of another server', async () => {
      const recording = await add(1, { state: 'finishing', parts: [aRecordedPart(), aRecordedPart()], expiresOn: 5 });
      const own = { ...recording, parts: [aRecordedPart()] };
      const others = [2, 3].map((number) => aRecording({ id: recordingIdOf(number), parts: [aRecordedPart()] }));
      const all = [own, ...others];
      assert.equal(await recordings.divide({ ...own, nodeId: 'another' }, others), false);
      assert.equal(await recordings.divide({ ...own, id: recordingIdOf(9) }, others), false);
      const taken = { ...own, id: recording.id };
      await assert.rejects(recordings.divide(own, [...others, taken]));
      assert.deepEqual(await Promise.all(all.map(({ id }) => recordings.findAny(id))), [
        recording,
        undefined,
        undefined,
      ]);
      assert.equal(await recordings.divide(own, others), true);
      assert.deepEqual(await Promise.all(all.map(({ id }) => recordings.findAny(id))), all);
    });

    it('names the token until it is deleted', async () => {
      const token = await tokens.create(aTokenRecord({ accountId: 'acme', kind: 'publish' }));
      const { id } = await add(1, { tokenId: token.id });
      assert.equal((await recordings.findAny(id))?.tokenId, token.id);
      await tokens.delete({ accountId: 'acme', kind: 'publish' }, token.id);
      assert.equal((await recordings.findAny(id))?.tokenId, null);
      assert.equal((await recordings.list('acme', { page: 1, itemsOnPage: 1 })).recordings[0]?.tokenId, null);
    });

    it('lists the recordings of an account, the newest first', async () => {
      await add(1, { startedOn: RECORDED_ON });
      await add(2, { startedOn: RECORDED_ON + 2 });
      await add(3, { startedOn: RECORDED_ON + 1, streamName: 'side' });
      await add(4, { startedOn: RECORDED_ON + 1, state: 'failed' });
      await add(5, { accountId: 'other' });
      assert.deepEqual(await listed(), [[2, 4, 3, 1], 4]);
      assert.deepEqual(await listed({ page: 2, itemsOnPage: 3 }), [[1], 4]);
      assert.deepEqual(await listed({ streamName: 'side' }), [[3], 1]);
      assert.deepEqual(await listed({ state: 'failed' }), [[4], 1]);
    });

    it('finds the newest broadcast of a source that is ready', async () => {
      const hour = 3_600_000;
      await add(1);
      await add(2, { startedOn: RECORDED_ON + hour });
      await add(3, { startedOn: RECORDED_ON + 2 * hour, sourceId: 'b' });
      await add(4, { startedOn: RECORDED_ON + 3 * hour, kind: 'clip' });
      await add(5, { startedOn: RECORDED_ON + 4 * hour, state: 'recording' });
      await add(6, { startedOn: RECORDED_ON + 5 * hour, accountId: 'other' });
      assert.equal((await recordings.findLatest('acme', 'main', null))?.id, recordingIdOf(2));
      assert.equal((await recordings.findLatest('acme', 'main', 'b'))?.id, recordingIdOf(3));
      assert.equal((await recordings.findLatest('acme', 'main', undefined))?.id, recordingIdOf(2));
      await add(7, { streamName: 'side', sourceId: 'b' });
      assert.equal(await recordings.findLatest('acme', 'side', null), undefined);
      assert.equal((await recordings.findLatest('acme', 'side', undefined))?.id, recordingIdOf(7));
    });

    it('lists for a server only its own unfinished recordings', async () => {
      await add(1);
      await add(2, { state: 'recording', startedOn: RECORDED_ON + 1 });
      await add(3, { state: 'finishing' });
      await add(4, { state: 'failed' });
      await add(5, { state: 'recording', nodeId: 'node-2' });
      await add(6, { parts: [aRecordedPart()], startedOn: RECORDED_ON + 2 });
      assert.deepEqual(numbers(await recordings.listUnfinished('node-1')), [3, 2, 6]);
      assert.deepEqual(numbers(await recordings.listUnfinished('node-2')), [5]);
    });

    it('lists for a server what is ready in its folder', async () => {
      await add(1);
      await add(2, { location: 's3' });
      await add(3, { nodeId: 'node-2' });
      await add(4, { state: 'finishing' });
      assert.deepEqual(numbers(await recordings.listInFolder('node-1', 9)), [1]);
    });

    it('lists what is expired, but nothing that is still made', async () => {
      await add(1, { expiresOn: 20 });
      await add(2, { expiresOn: 10, state: 'failed' });
      await add(3, { expiresOn: 21 });
      await add(4, { expiresOn: null });
      await add(5, { expiresOn: 10, state: 'recording' });
      await add(6, { expiresOn: 10, state: 'finishing' });
      assert.deepEqual(numbers(await recordings.listExpired(20, 9)), [2, 1]);
      assert.deepEqual(numbers(await recordings.listExpired(20, 1)), [2]);
    });

    it('lists what is expired from any of them on, also of those that expired at once', async () => {
      for (const [number, expiresOn] of [10, 20, 10, 30, 10].entries()) await add(number, { expiresOn });
      const listed: number[] = [];
      for (let last: RecordingRecord | undefined; ;) {
        const next = await recordings.listExpired(20, 1, last);
        if (next.length === 0) break;
        listed.push(...numbers(next));
        last = next[0];
      }
      assert.deepEqual(listed, [0, 2, 4, 1]);
    });

    it('says which of some ids are recordings of a server', async () => {
      await add(1);
      await add(2, { nodeId: 'node-2' });
      const ids = [1, 2, 3].map(recordingIdOf);
      assert.deepEqual([...(await recordings.ofServer('node-1', ids))], [recordingIdOf(1)]);
      assert.deepEqual([...(await recordings.ofServer('node-1', []))], []);
    });

    it('knows when a server was last running', async () => {
      assert.equal(await recordings.lastRunning('node-1'), undefined);
      await recordings.noteRunning('node-1', RECORDED_ON);
      await recordings.noteRunning('node-1', RECORDED_ON + 1);
      assert.equal(await recordings.lastRunning('node-1'), RECORDED_ON + 1);
    });

    describe('that is taken over', () => {
      const servers = { from: 'node-1', to: 'node-2' };

      for (const [state, taken] of [
        ['recording', 'recording'],
        ['finishing', 'finishing'],
        ['failed', 'finishing'],
        ['ready', 'finishing'],
      ] as const) {
        it(`as ${state} is ${taken} on the other server, and has no file`, async () => {
          const recording = await add(1, { state });
          const expected = { ...recording, state: taken, nodeId: 'node-2', container: null };
          assert.deepEqual(await recordings.takeOver(recording.id, servers), expected);
          assert.deepEqual(await recordings.findAny(recording.id), expected);
        });
      }

      it('has one server, of several that want it', async () => {
        const { id } = await add(1, { state: 'recording' });
        const others = ['node-2', 'node-3', 'node-4', 'node-5'];
        const taken = await Promise.all(others.map((to) => recordings.takeOver(id, { from: 'node-1', to })));
        const winners = taken.filter((recording) => recording !== undefined);
        assert.equal(winners.length, 1);
        assert.equal((await recordings.findAny(id))?.nodeId, winners[0]!.nodeId);
      });

      it('is not written by the server that had it', async () => {
        const recording = await add(1, { state: 'recording', parts: [aRecordedPart()] });
        const taken = await recordings.takeOver(recording.id, servers);
        for (const state of ['recording', 'ready'] as const) {
          assert.equal(await recordings.save({ ...recording, state }), false);
        }
        await recordings.saveParts(recording, []);
        assert.deepEqual(await recordings.findAny(recording.id), taken);
        assert.equal(await recordings.save(taken!), true);
      });

      it('is none with a file in S3, none of another server, and none that is deleted', async () => {
        const { id } = await add(1, { location: 's3' });
        await add(2, { nodeId: 'node-3' });
        for (const wrong of [id, recordingIdOf(2), recordingIdOf(3)]) {
          assert.equal(await recordings.takeOver(wrong, servers), undefined);
        }
      });
    });

    it('replaces the parts alone', async () => {
      const recording = await add(1, { parts: [aRecordedPart()] });
      await recordings.save({ ...recording, location: 's3' });
      await recordings.saveParts(recording, []);
      assert.deepEqual(await recordings.findAny(recording.id), { ...recording, location: 's3', parts: [] });
    });

    it('sums what an account uses', async () => {
      assert.deepEqual(await recordings.usage('acme'), { usedBytes: 0, recordings: 0 });
      await add(1, { bytes: 3_000_000_000 });
      await add(2, { bytes: 2_000_000_000, state: 'recording' });
      await add(3, { bytes: 7, accountId: 'other' });
      assert.deepEqual(await recordings.usage('acme'), { usedBytes: 5_000_000_000, recordings: 2 });
    });

    it('changes when a recording expires', async () => {
      const { id } = await add(1);
      assert.equal((await recordings.setExpiry({ accountId: 'acme', id }, RECORDED_ON, 1))?.expiresOn, RECORDED_ON);
      assert.equal((await recordings.findAny(id))?.expiresOn, RECORDED_ON);
      assert.equal((await recordings.setExpiry({ accountId: 'acme', id }, null, 2))?.expiresOn, null);
      assert.equal(await recordings.setExpiry({ accountId: 'other', id }, 1, 3), undefined);
    });

    it('removes a recording once, and only for its account', async () => {
      const recording = await add(1);
      assert.equal(await recordings.remove('other', recording.id, 1), undefined);
      assert.deepEqual(await recordings.remove('acme', recording.id, 1), recording);
      assert.equal(await recordings.remove('acme', recording.id, 1), undefined);
    });

    it('does not remove what a server records that is running', async () => {
      const { id } = await add(1, { state: 'recording' });
      await recordings.noteRunning('node-1', 1);
      assert.equal(await recordings.remove('acme', id, 120_000), 'open');
      assert.notEqual(await recordings.findAny(id), undefined);
      assert.equal(((await recordings.remove('acme', id, 120_001)) as RecordingRecord).id, id);
    });

    it('keeps the settings of each account', async () => {
      assert.deepEqual(await recordings.settings('acme'), { retentionDays: null, quotaBytes: null });
      const quotaBytes = 2_000_000_000_000;
      assert.deepEqual(await recordings.updateSettings('acme', { quotaBytes }, 1), { retentionDays: null, quotaBytes });
      await recordings.updateSettings('acme', { retentionDays: 30 }, 2);
      assert.deepEqual(await recordings.settings('acme'), { retentionDays: 30, quotaBytes });
      assert.deepEqual(await recordings.settings('other'), { retentionDays: null, quotaBytes: null });
    });

    it('goes with its account', async () => {
      const { id } = await add(1);
      await db.deleteFrom('account').where('id', '=', 'acme').execute();
      assert.equal(await recordings.findAny(id), undefined);
    });

    it('writes what people change to the audit log', async () => {
      await add(1);
      const recording = aRecording({ id: recordingIdOf(2), state: 'recording', endedOn: null });
      await recordings.add(recording, 'recording_started');
      await recordings.noteStop(recording, 1);
      await recordings.save({ ...recording, state: 'ready' });
      await recordings.setExpiry({ accountId: 'acme', id: recording.id }, RECORDED_ON, 2);
      await recordings.setExpiry({ accountId: 'acme', id: recording.id }, RECORDED_ON, 2);
      await recordings.remove('acme', recording.id, 3);
      await recordings.updateSettings('acme', { retentionDays: 7 }, 4);
      await recordings.add(aRecording({ id: recordingIdOf(3), kind: 'clip' }), 'clip_created');
      const fields = {
        kind: 'broadcast',
        streamName: 'main',
        sourceId: null,
        startedOn: '2026-11-20T19:00:00.000Z',
      };
      const { id } = recording;
      assert.deepEqual(await changes(), [
        { action: 'clip_created', id: recordingIdOf(3), before: null, after: { ...fields, kind: 'clip' } },
        {
          action: 'recording_settings_changed',
          id: 'acme',
          before: { retentionDays: null, quotaBytes: null },
          after: { retentionDays: 7, quotaBytes: null },
        },
        { action: 'recording_deleted', id, before: fields, after: null },
        {
          action: 'recording_changed',
          id,
          before: { expiresOn: null },
          after: { expiresOn: '2026-11-20T19:00:00.000Z' },
        },
        { action: 'recording_stopped', id, before: fields, after: null },
        { action: 'recording_started', id, before: null, after: fields },
      ]);
    });
  });
}
