import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { LeaseClaim, StreamLeases } from '../../../server/streams/stream-leases.js';
import { Cleanup } from '../../support/cleanup.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

let sessions = 0;

/** A claim of the main source of a stream by a new session. */
export function aClaim(overrides: Partial<LeaseClaim> = {}): LeaseClaim {
  const sessionId = `session ${(sessions += 1)}`;
  return {
    streamId: streamIdOf('acme', 'main'),
    sourceId: null,
    sessionId,
    sessionKey: `key of ${sessionId}`,
    tokenId: 1,
    ...overrides,
  };
}

/** What every implementation promises to the one server that uses it. */
export function streamLeasesContract(
  name: string,
  open: (cleanup: Cleanup) => Promise<{ readonly leases: StreamLeases; readonly settled: () => Promise<unknown> }>,
): void {
  describe(`StreamLeases of ${name}`, () => {
    const cleanup = new Cleanup();
    afterEach(() => cleanup.run());

    it('gives a server every source that no other server has', async () => {
      const { leases } = await open(cleanup);
      const sourceIds = [null, 'cam1', 'cam2', `"'\\; drop table node`, 'ü 🎥'];
      const outcomes = await Promise.all(sourceIds.map((sourceId) => leases.claim(aClaim({ sourceId }))));
      assert.deepEqual(new Set(outcomes), new Set(['held']));
    });

    it('gives streams of two accounts with one name, and names with slashes', async () => {
      const { leases } = await open(cleanup);
      for (const [accountId, streamName] of [
        ['acme', 'main'],
        ['other', 'main'],
        ['acme', 'main/stage'],
        ['acme', `it's "here" \\ %`],
      ] as const) {
        assert.equal(await leases.claim(aClaim({ streamId: streamIdOf(accountId, streamName) })), 'held');
      }
    });

    it('moves a source to the session that resumes', async () => {
      const { leases } = await open(cleanup);
      const first = aClaim();
      assert.equal(await leases.claim(first), 'held');
      assert.equal(await leases.claim(aClaim({ sessionKey: first.sessionKey })), 'held');
    });

    it('gives a source again that was released, also while the release is on its way', async () => {
      const { leases, settled } = await open(cleanup);
      const first = aClaim();
      await leases.claim(first);
      leases.release(first);
      assert.equal(await leases.claim(aClaim()), 'held');
      await settled();
      assert.equal(await leases.claim(aClaim()), 'held');
    });

    it('accepts every report of a source, whether or not a session has it', async () => {
      const { leases, settled } = await open(cleanup);
      const claim = aClaim();
      leases.changed({ ...claim, isLive: true, keptForMs: null, isInterrupted: false });
      leases.release(claim);
      await leases.claim(claim);
      leases.changed({ ...claim, isLive: true, keptForMs: 10_000, isInterrupted: false });
      leases.release(claim);
      leases.release(claim);
      await settled();
    });

    it('stops nothing on other servers when there are none', async () => {
      const { leases } = await open(cleanup);
      await leases.claim(aClaim());
      assert.deepEqual([await leases.requestStop('acme', 'main'), await leases.requestStop('acme')], [0, 0]);
    });
  });
}
