import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { StoredSession } from '../../../../server/oversight/session-record.js';
import type { SessionStore } from '../../../../server/oversight/session-store.js';
import { Cleanup } from '../../../support/cleanup.js';

/** 32 hex digits. */
export const sessionIdOf = (number: number): string => number.toString(16).padStart(32, '0');

export function aStoredSession(overrides: Partial<StoredSession> = {}): StoredSession {
  return {
    id: sessionIdOf(1),
    accountId: 'acme',
    streamName: 'main',
    role: 'viewer',
    protocol: 'websocket',
    tokenId: 7,
    address: '192.0.2.1',
    origin: 'https://a.example',
    openedOn: 1_000,
    connectedOn: 1_100,
    firstMediaOn: 1_200,
    seenOn: 9_000,
    endedOn: 9_000,
    reason: 'left',
    mediaMs: 7_800,
    reconnects: 1,
    timeline: { events: [{ time: 1_000, name: 'opened' }], leftOut: 0 },
    quality: null,
    ...overrides,
  };
}

const ALL = { streamName: 'main', limit: 100 };

/** The contract of SessionStore. `open` returns an empty store with the named accounts. */
export function sessionStoreContract(
  name: string,
  open: (cleanup: Cleanup, ...accounts: string[]) => Promise<SessionStore>,
): void {
  describe(`${name} as a SessionStore`, () => {
    const cleanup = new Cleanup();
    let store: SessionStore;

    beforeEach(async () => {
      store = await open(cleanup, 'acme', 'other');
    });
    afterEach(() => cleanup.run());

    const ids = async (query: object = {}, accountId = 'acme') =>
      (await store.list(accountId, { ...ALL, ...query })).map(({ id }) => id);

    it('returns what was saved', async () => {
      const whole = aStoredSession();
      const bare = aStoredSession({
        id: sessionIdOf(2),
        role: 'publisher',
        protocol: 'whip',
        tokenId: null,
        origin: null,
        address: '',
        openedOn: 2_000,
        connectedOn: null,
        firstMediaOn: null,
        endedOn: null,
        reason: null,
      });
      await store.save([whole, bare]);
      assert.deepEqual(await store.list('acme', ALL), [bare, whole]);
      assert.deepEqual(await store.find('acme', 'main', whole.id), whole);
    });

    it('replaces a session that is saved again, and repeats change nothing', async () => {
      await store.save([aStoredSession({ endedOn: null, reason: null, seenOn: 2_000 })]);
      const ended = aStoredSession({ mediaMs: 8_000 });
      await store.save([ended]);
      await store.save([ended]);
      assert.deepEqual(await store.list('acme', ALL), [ended]);
    });

    it('separates accounts and streams', async () => {
      await store.save([
        aStoredSession(),
        aStoredSession({ id: sessionIdOf(2), accountId: 'other' }),
        aStoredSession({ id: sessionIdOf(3), streamName: 'side' }),
      ]);
      assert.deepEqual([await ids(), await ids({}, 'other')], [[sessionIdOf(1)], [sessionIdOf(2)]]);
      assert.equal(await store.find('other', 'main', sessionIdOf(1)), undefined);
      assert.equal(await store.find('acme', 'side', sessionIdOf(1)), undefined);
    });

    it('leaves out sessions of accounts that do not exist, and saves the others', async () => {
      await store.save([aStoredSession({ accountId: 'nobody' }), aStoredSession({ id: sessionIdOf(2) })]);
      assert.deepEqual([await ids(), await ids({}, 'nobody')], [[sessionIdOf(2)], []]);
    });

    it('filters by time, token and reason', async () => {
      await store.save([
        aStoredSession({ openedOn: 1_000, tokenId: 1 }),
        aStoredSession({ id: sessionIdOf(2), openedOn: 2_000, tokenId: 2, reason: 'lost' }),
        aStoredSession({ id: sessionIdOf(3), openedOn: 3_000, tokenId: 2 }),
      ]);
      assert.deepEqual(await ids({ from: 2_000 }), [sessionIdOf(3), sessionIdOf(2)]);
      assert.deepEqual(await ids({ to: 2_000 }), [sessionIdOf(1)]);
      assert.deepEqual(await ids({ tokenId: 2 }), [sessionIdOf(3), sessionIdOf(2)]);
      assert.deepEqual(await ids({ tokenId: 2, reason: 'lost', from: 2_000, to: 3_000 }), [sessionIdOf(2)]);
    });

    it('filters by whether the session is open', async () => {
      const open = aStoredSession({ id: sessionIdOf(2), endedOn: null, reason: null });
      await store.save([aStoredSession(), open]);
      assert.deepEqual(await ids({ state: 'open' }), [sessionIdOf(2)]);
      assert.deepEqual(await ids({ state: 'ended' }), [sessionIdOf(1)]);
    });

    it('continues a list after each session, also when several opened at once', async () => {
      const openedOn = [1_000, 2_000, 2_000, 2_000, 3_000];
      const sessions = openedOn.map((time, number) => aStoredSession({ id: sessionIdOf(number), openedOn: time }));
      await store.save(sessions);
      const walked: string[] = [];
      let after: { readonly openedOn: number; readonly id: string } | undefined;
      for (;;) {
        const [found] = await store.list('acme', { ...ALL, limit: 1, after });
        if (!found) break;
        walked.push(found.id);
        after = found;
      }
      assert.deepEqual(walked, [4, 3, 2, 1, 0].map(sessionIdOf));
    });

    it('saves hundreds of sessions at once', async () => {
      await store.save(Array.from({ length: 450 }, (_, number) => aStoredSession({ id: sessionIdOf(number) })));
      assert.equal((await ids({ limit: 1_000 })).length, 450);
    });

    it('ends open sessions that no server has written for long, when they were last seen', async () => {
      const isOpen = { endedOn: null, reason: null };
      const lost = aStoredSession({ ...isOpen, seenOn: 4_999 });
      const open = aStoredSession({ ...isOpen, id: sessionIdOf(2), seenOn: 5_000 });
      const ended = aStoredSession({ id: sessionIdOf(3), seenOn: 4_000, endedOn: 4_000 });
      await store.save([lost, open, ended]);
      await store.endLost(5_000);
      assert.deepEqual(await store.find('acme', 'main', lost.id), { ...lost, endedOn: 4_999, reason: 'server_lost' });
      assert.deepEqual(await store.find('acme', 'main', open.id), open);
      assert.deepEqual(await store.find('acme', 'main', ended.id), ended);
      await store.save([lost]);
      assert.deepEqual(await store.find('acme', 'main', lost.id), lost, 'its server has come back');
    });

    it('deletes sessions that were last seen before a time, in several steps', async () => {
      const old = Array.from({ length: 1_050 }, (_, number) => aStoredSession({ id: sessionIdOf(number), seenOn: 10 }));
      const kept = aStoredSession({ id: sessionIdOf(2_000), seenOn: 11 });
      await store.save([...old, kept]);
      assert.equal(await store.prune(11, AbortSignal.abort()), 0);
      assert.equal(await store.prune(11), 1_050);
      assert.deepEqual(await ids(), [kept.id]);
    });
  });
}
