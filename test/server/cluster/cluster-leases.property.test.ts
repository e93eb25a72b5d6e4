import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { ClusterLeases } from '../../../server/cluster/cluster-leases.js';
import type { ClusterNodeEvents } from '../../../server/cluster/cluster-node.js';
import type { ClaimAnswer, Lease, LeaseState, NewLease, NodeEpoch } from '../../../server/cluster/cluster-store.js';
import { Emitter } from '../../../server/faults/emitter.js';
import { followFaults } from '../../../server/faults/fault.js';
import type { LeaseHolder, LeaseOutcome } from '../../../server/streams/stream-leases.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const [OWN, OTHER] = ['own', 'other'];
const SOURCES = ['cam1', 'cam2'];

/** A statement on its way to the database, or its answer on the way back. */
interface Statement {
  isExecuted: boolean;
  readonly execute: () => void;
  readonly answer: () => void;
  readonly fail: () => void;
}

type Row = { node: string; epoch: number; sessionId: string; isLive: boolean; isKept: boolean };

/** The rows of `stream_lease`, and what travels. Nothing is executed or answered by itself. */
class ModelDatabase {
  readonly rows = new Map<string, Row>();
  readonly travelling: Statement[] = [];
  epoch = 1;

  send<Answer>(run: () => Answer): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    let answer: Answer;
    const statement: Statement = {
      isExecuted: false,
      execute: () => {
        statement.isExecuted = true;
        answer = run();
      },
      answer: () => resolve(answer),
      fail: () => reject(new Error('the database does not answer')),
    };
    this.travelling.push(statement);
    return promise;
  }

  pick(index: number, isWanted: (statement: Statement) => boolean): Statement | undefined {
    const wanted = this.travelling.filter(isWanted);
    return wanted[index % wanted.length];
  }

  claim(node: NodeEpoch, { sourceId, sessionId }: NewLease): ClaimAnswer {
    const row = this.rows.get(sourceId!);
    if (row?.node === OTHER) return { name: 'taken', by: { id: OTHER, url: undefined }, sameSource: true };
    if (node.epoch !== this.epoch) return { name: 'expired' };
    this.rows.set(sourceId!, { ...node, node: OWN, sessionId, isLive: row?.isLive ?? false, isKept: false });
    return { name: 'claimed', epoch: 1 };
  }

  write(states: readonly LeaseState[]): void {
    for (const { sourceId, sessionId, isLive, keptForMs } of states) {
      const row = this.rows.get(sourceId!);
      if (row?.node === OWN && row.sessionId === sessionId) Object.assign(row, { isLive, isKept: keptForMs !== null });
    }
  }

  release(leases: readonly { readonly sourceId: string | null; readonly sessionId: string }[]): void {
    for (const { sourceId, sessionId } of leases) {
      const row = this.rows.get(sourceId!);
      if (row?.node === OWN && row.sessionId === sessionId) this.rows.delete(sourceId!);
    }
  }

  /** The node joins with another epoch. */
  join(): void {
    this.epoch += 1;
    for (const [sourceId, { node }] of this.rows) if (node === OWN) this.rows.delete(sourceId);
  }
}

/** Lapses when its epoch is read after its time has passed, as `ClusterNode` does. */
class ModelNode extends Emitter<ClusterNodeEvents> {
  readonly identity = { id: OWN, url: undefined };
  name: 'in' | 'late' | 'out' = 'in';

  constructor(readonly database: ModelDatabase) {
    super('cluster');
  }

  get epoch(): NodeEpoch | undefined {
    if (this.name === 'late') {
      this.name = 'out';
      this.emit('lapsed');
    }
    return this.name === 'in' ? { id: OWN, epoch: this.database.epoch } : undefined;
  }

  beat(): void {
    if (!this.epoch) {
      this.database.join();
      this.name = 'in';
    }
    this.emit('nodes', [], 1);
  }
}

interface Publisher {
  readonly sessionId: string;
  /** Undefined: the claim is not answered. */
  outcome: LeaseOutcome | undefined;
  isLive: boolean;
  isKept: boolean;
}

/** The sources of this server: it decides who has one here, as `Stream` does, before the leases are asked. */
class ModelServer {
  readonly database = new ModelDatabase();
  readonly node = new ModelNode(this.database);
  readonly leases: ClusterLeases;
  readonly publishers = new Map<string, Publisher>();
  /** By source: whose source was released, and who may ask again within the same session. */
  readonly #again = new Map<string, string>();
  #sessions = 0;

  constructor() {
    const { database, node } = this;
    this.leases = new ClusterLeases({
      node,
      store: {
        claim: (epoch, lease) => database.send(() => database.claim(epoch, lease)),
        write: (_id, states) => database.send(() => database.write(states)),
        release: (_id, leases) => database.send(() => database.release(leases)),
        requestStop: async () => 0,
      },
      monotonicNow: () => 0,
    });
    node.on('lapsed', () => {
      for (const sourceId of this.publishers.keys()) this.stop(sourceId);
    });
  }

  /** A publisher comes, one that was refused asks again, or a client resumes its lost session in a new one. */
  publish(sourceId: string): void {
    const before = this.publishers.get(sourceId);
    const sessionId = (!before && this.#again.get(sourceId)) || `session ${(this.#sessions += 1)}`;
    this.#again.delete(sourceId);
    const publisher: Publisher = { sessionId, outcome: undefined, isLive: before?.isLive ?? false, isKept: false };
    this.publishers.set(sourceId, publisher);
    if (before) this.#tell(sourceId, publisher);
    void this.#claim(sourceId, publisher);
  }

  change(sourceId: string, isLive: boolean, isKept: boolean): void {
    const publisher = this.publishers.get(sourceId);
    if (publisher?.outcome !== 'held') return;
    Object.assign(publisher, { isLive, isKept });
    this.#tell(sourceId, publisher);
  }

  stop(sourceId: string): void {
    const publisher = this.publishers.get(sourceId);
    if (!publisher) return;
    this.publishers.delete(sourceId);
    this.leases.release(this.#holder(sourceId, publisher.sessionId));
    if (publisher.outcome) this.#again.set(sourceId, publisher.sessionId);
  }

  /** What the database must have of this server. */
  get held() {
    return [...this.publishers].flatMap(([sourceId, { outcome, sessionId, isLive, isKept }]) =>
      outcome === 'held' ? [[sourceId, sessionId, isLive, isKept] as const] : [],
    );
  }

  /** Every lease of this server is seen, as in a read of all streams. */
  seeAll(): void {
    for (const [sourceId, row] of this.database.rows) {
      if (row.node !== OWN) continue;
      const node = { id: OWN, url: undefined, epoch: row.epoch };
      const rest = {
        sessionKeyHash: '',
        tokenId: 1,
        liveOn: null,
        keptForMs: null,
        isInterrupted: false,
        stopRequested: false,
        node,
      };
      const lease: Lease = { accountId: 'acme', streamName: 'main', sourceId, sessionId: row.sessionId, ...rest };
      this.leases.seen(lease);
    }
  }

  async #claim(sourceId: string, publisher: Publisher): Promise<void> {
    const holder = this.#holder(sourceId, publisher.sessionId);
    publisher.outcome = await this.leases.claim({ ...holder, sessionKey: 'key', tokenId: 1 });
    if (publisher.outcome !== 'held' && this.publishers.get(sourceId) === publisher) this.stop(sourceId);
  }

  #holder(sourceId: string, sessionId: string): LeaseHolder {
    return { streamId: streamIdOf('acme', 'main'), sourceId, sessionId };
  }

  #tell(sourceId: string, { sessionId, isLive, isKept }: Publisher): void {
    this.leases.changed({
      ...this.#holder(sourceId, sessionId),
      isLive,
      keptForMs: isKept ? 10_000 : null,
      isInterrupted: false,
    });
  }
}

const anySource = fc.constantFrom(...SOURCES);
const anyStatement = fc.nat({ max: 20 });
const anyStep = fc.record({
  /** How many turns of the queue of microtasks pass before it. */
  turns: fc.oneof(fc.nat({ max: 8 }), fc.constant(30)),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.record({ name: fc.constant('publish' as const), sourceId: anySource }) },
    { weight: 3, arbitrary: fc.record({ name: fc.constant('stop' as const), sourceId: anySource }) },
    {
      weight: 2,
      arbitrary: fc.record({
        name: fc.constant('change' as const),
        sourceId: anySource,
        isLive: fc.boolean(),
        isKept: fc.boolean(),
      }),
    },
    { weight: 5, arbitrary: fc.record({ name: fc.constant('execute' as const), index: anyStatement }) },
    { weight: 5, arbitrary: fc.record({ name: fc.constant('answer' as const), index: anyStatement }) },
    { weight: 2, arbitrary: fc.record({ name: fc.constant('fail' as const), index: anyStatement }) },
    { weight: 2, arbitrary: fc.record({ name: fc.constant('arrive' as const) }) },
    { weight: 1, arbitrary: fc.record({ name: fc.constant('other-claims' as const), sourceId: anySource }) },
    { weight: 1, arbitrary: fc.record({ name: fc.constantFrom('see' as const, 'late' as const, 'beat' as const) }) },
  ),
});
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

function act(server: ModelServer, { what }: Step): void {
  const { database, node } = server;
  switch (what.name) {
    case 'publish':
      return server.publish(what.sourceId);
    case 'stop':
      return server.stop(what.sourceId);
    case 'change':
      return server.change(what.sourceId, what.isLive, what.isKept);
    case 'execute':
      return database.pick(what.index, ({ isExecuted }) => !isExecuted)?.execute();
    case 'answer':
    case 'fail': {
      const statement = database.pick(what.index, ({ isExecuted }) => isExecuted || what.name === 'fail');
      if (!statement) return;
      database.travelling.splice(database.travelling.indexOf(statement), 1);
      return statement[what.name]();
    }
    case 'arrive':
      return arrive(database);
    case 'other-claims':
      if (!database.rows.has(what.sourceId)) {
        database.rows.set(what.sourceId, { node: OTHER, epoch: 1, sessionId: 'theirs', isLive: true, isKept: false });
      } else if (database.rows.get(what.sourceId)!.node === OTHER) database.rows.delete(what.sourceId);
      return;
    case 'late':
      if (node.name === 'in') node.name = 'late';
      return;
    case 'beat':
      return node.beat();
    case 'see':
      return server.seeAll();
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

/** Everything that travels arrives, and what follows from it. */
async function settle({ database }: ModelServer): Promise<void> {
  for (await turns(50); database.travelling.length > 0; await turns(50)) arrive(database);
}

function arrive({ travelling }: ModelDatabase): void {
  for (const statement of travelling.splice(0)) {
    if (!statement.isExecuted) statement.execute();
    statement.answer();
  }
}

/** Every source that this server may send is its own in the database, or this server has noticed that it is late. */
function assertLeased({ database, held, node }: ModelServer): void {
  if (node.name !== 'in') return;
  const stored = held.map(([sourceId]) => [sourceId, database.rows.get(sourceId)?.sessionId]);
  assert.deepEqual(
    stored,
    held.map(([sourceId, sessionId]) => [sourceId, sessionId]),
  );
}

const ownRows = ({ database }: ModelServer) =>
  [...database.rows].flatMap(([sourceId, { node, sessionId, isLive, isKept }]) =>
    node === OWN ? [[sourceId, sessionId, isLive, isKept] as const] : [],
  );
const sorted = <Entry extends readonly [string, ...unknown[]]>(entries: readonly Entry[]) =>
  entries.toSorted(([one], [other]) => one.localeCompare(other));

describe('the lease of a source', () => {
  it('stays with a session that claims it again while its release waits for the database', async () => {
    const server = new ModelServer();
    server.publish('cam1');
    await settle(server);
    server.stop('cam1');
    await turns(30);
    server.database.travelling.shift()!.fail();
    await turns(30);
    server.publish('cam1');
    await settle(server);
    assert.deepEqual(ownRows(server), [['cam1', 'session 1', false, false]]);
    assert.deepEqual(ownRows(server), server.held);
  });

  it('stays with the next session when the claim of the released one before is executed late', async () => {
    const server = new ModelServer();
    server.publish('cam1');
    server.stop('cam1');
    server.publish('cam1');
    await turns(30);
    for (const statement of server.database.travelling.toReversed()) statement.execute();
    await settle(server);
    assert.deepEqual(ownRows(server), [['cam1', 'session 2', false, false]]);
    assert.deepEqual(ownRows(server), server.held);
  });

  it('is given back when the node lapses as a session takes the source of a lost one over', async () => {
    const server = new ModelServer();
    server.publish('cam1');
    await settle(server);
    server.node.name = 'late';
    server.publish('cam1');
    await settle(server);
    server.node.beat();
    // The claim of a session that ended was executed after all.
    const { epoch } = server.database;
    server.database.rows.set('cam1', { node: OWN, epoch, sessionId: 'ended', isLive: false, isKept: false });
    server.seeAll();
    await settle(server);
    assert.deepEqual(ownRows(server), []);
  });
});

describe('the leases of a node, whatever is late, lost or done at once', () => {
  const anySteps = fc.array(anyStep, { minLength: 10, maxLength: 80, size: 'max' });

  const faults: unknown[] = [];
  let unfollow: () => void;
  // Not before the tests of other files that share the process.
  before(() => (unfollow = followFaults(({ error }) => faults.push(error))));
  after(() => unfollow());
  afterEach(() => assert.deepEqual(faults, []));

  it('are what the database has, for as long as a source is held', async () => {
    let held = 0;
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const server = new ModelServer();
        for (const step of steps) {
          await turns(step.turns);
          act(server, step);
          await turns(30);
          assertLeased(server);
          held += server.held.length;
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(held > 1_000, `a source was held only ${held} times: the property says little`);
  });

  it('are written in full without another heartbeat, if no statement fails', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const server = new ModelServer();
        for (const step of steps) {
          await turns(step.turns);
          if (!['fail', 'late', 'other-claims'].includes(step.what.name)) act(server, step);
        }
        await settle(server);
        assert.deepEqual(sorted(ownRows(server)), sorted(server.held));
      }),
      { numRuns: 300 },
    );
  });

  it('are those of the publishers in the end, when the database answers again', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const server = new ModelServer();
        for (const step of steps) {
          await turns(step.turns);
          act(server, step);
        }
        for (let beats = 0; beats < 3; beats += 1) {
          await settle(server);
          server.node.beat();
          server.seeAll();
        }
        await settle(server);
        assert.deepEqual(sorted(ownRows(server)), sorted(server.held));
        assert.deepEqual(
          new Set(server.leases.held().map(({ sessionId }) => sessionId)),
          new Set(server.held.map(([, sessionId]) => sessionId)),
        );
      }),
      { numRuns: 300 },
    );
  });
});
