import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { openDatabase } from '../../../../server/store/database.js';
import { PostgresClusterStore } from '../../../../server/store/postgres/postgres-cluster-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { DatabaseTime } from '../../../support/database-time.js';
import { suitePostgres } from '../../../support/suite-postgres.js';

const ROUNDS = 40;

/** What the model of the simulation cannot show: statements of several connections at once. */
describe('servers that claim a stream of PostgreSQL at once', () => {
  const postgres = suitePostgres();
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const open = async (count: number) => {
    const databaseUrl = await postgres.migratedDatabase();
    await DatabaseTime.open(cleanup, databaseUrl);
    return await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const db = await openDatabase('', databaseUrl);
        cleanup.after(() => db.destroy());
        const store = new PostgresClusterStore(db);
        const node = { id: `node ${index}`, url: undefined, epoch: 1 };
        await store.join(node);
        const claim = (streamName: string, sourceId: string | null = null) =>
          store.claim(node, {
            accountId: 'acme',
            streamName,
            sourceId,
            tokenId: 1,
            sessionId: `${index} ${streamName} ${sourceId}`,
            sessionKeyHash: 'hash',
          });
        return { store, node, claim };
      }),
    );
  };
  it('get it once', async () => {
    const nodes = await open(4);
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(nodes.map(({ claim }) => claim(`stream-${round}`)));
      const sameSource = answers.flatMap((answer) => (answer.name === 'taken' ? [answer.sameSource] : []));
      assert.deepEqual(sameSource, [true, true, true]);
    }
  });

  it('have all its sources on one of them, whichever they claim', async () => {
    const nodes = await open(4);
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(nodes.map(({ claim }, index) => claim(`stream-${round}`, `cam${index}`)));
      const sameSource = answers.flatMap((answer) => (answer.name === 'taken' ? [answer.sameSource] : []));
      assert.deepEqual(sameSource, [false, false, false]);
    }
  });

  it('get every source that one of them claims', async () => {
    const [node] = await open(1);
    const answers = await Promise.all(['cam1', 'cam2', 'cam3'].map((sourceId) => node!.claim('main', sourceId)));
    const epochs = answers.flatMap((answer) => (answer.name === 'claimed' ? [answer.epoch] : []));
    assert.equal(new Set(epochs).size, 3);
  });

  it('get a larger epoch with each lease of a source', async () => {
    const [first, second] = await open(2);
    const epochs: number[] = [];
    let before = first!;
    for (const each of [first!, first!, second!, first!]) {
      const lease = { accountId: 'acme', streamName: 'main', sourceId: null };
      const sessionId = `${before.node.id.slice(-1)} main null`;
      if (each !== before) await before.store.release(before.node.id, [{ ...lease, sessionId, endsStream: false }]);
      before = each;
      const answer = await each.claim('main');
      if (answer.name === 'claimed') epochs.push(answer.epoch);
    }
    assert.equal(epochs.length, 4);
    assert.deepEqual(
      epochs,
      [...new Set(epochs)].toSorted((a, b) => a - b),
    );
  });
});
