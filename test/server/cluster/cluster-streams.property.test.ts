import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import type { Lease, StreamEnd, StreamName } from '../../../server/cluster/cluster-store.js';
import { ClusterStreams } from '../../../server/cluster/cluster-streams.js';
import { followFaults } from '../../../server/faults/fault.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const NAMES = ['main', 'side'];
const idOf = (streamName: string) => streamIdOf('acme', streamName);

interface Read {
  isExecuted: boolean;
  readonly execute: () => void;
  readonly answer: () => void;
  readonly fail: () => void;
}

/** The streams of another node in the database, each with a session that is newer with each change. */
class ModelDatabase {
  readonly sessions = new Map<string, number>();
  readonly endings = new Map<string, number>();
  readonly travelling: Read[] = [];

  leases(streams?: readonly StreamName[]): Promise<readonly Lease[]> {
    return this.#read(this.sessions, aLease, streams);
  }

  ends(streams?: readonly StreamName[]): Promise<readonly StreamEnd[]> {
    return this.#read(this.endings, anEnd, streams);
  }

  #read<Row>(
    rows: ReadonlyMap<string, number>,
    rowOf: (streamName: string, value: number) => Row,
    streams: readonly StreamName[] | undefined,
  ): Promise<readonly Row[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>();
    let found: readonly Row[] = [];
    const read: Read = {
      isExecuted: false,
      execute: () => {
        read.isExecuted = true;
        found = [...rows].flatMap(([streamName, value]) =>
          !streams || streams.some((each) => each.streamName === streamName) ? rowOf(streamName, value) : [],
        );
      },
      answer: () => resolve(found),
      fail: () => reject(new Error('the database does not answer')),
    };
    this.travelling.push(read);
    return promise;
  }

  pick(index: number, isWanted: (read: Read) => boolean): Read | undefined {
    const wanted = this.travelling.filter(isWanted);
    return wanted[index % wanted.length];
  }
}

function aLease(streamName: string, session: number): Lease {
  const node = { id: 'other', url: undefined, epoch: 1 };
  const rest = {
    sessionKeyHash: '',
    tokenId: 1,
    liveOn: 1,
    keptForMs: null,
    isInterrupted: false,
    stopRequested: false,
  };
  return { accountId: 'acme', streamName, sourceId: null, sessionId: `${session}`, ...rest, node };
}

const anEnd = (streamName: string, endedOn: number): StreamEnd => ({
  accountId: 'acme',
  streamName,
  tokenId: 1,
  endedOn,
});

const anyName = fc.constantFrom(...NAMES);
const anyStep = fc.record({
  turns: fc.oneof(fc.nat({ max: 8 }), fc.constant(30)),
  what: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        name: fc.constant('change' as const),
        of: anyName,
        change: fc.constantFrom('begins' as const, 'ends' as const, 'is lost' as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ name: fc.constant('refresh' as const), of: anyName }) },
    {
      weight: 9,
      arbitrary: fc.record({ name: fc.constantFrom('execute' as const, 'answer' as const), index: fc.nat({ max: 9 }) }),
    },
    { weight: 1, arbitrary: fc.record({ name: fc.constant('fail' as const), index: fc.nat({ max: 9 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({ name: fc.constantFrom('lost' as const, 'restored' as const, 'again' as const) }),
    },
    {
      // Mostly twice in a row: the ends are read after the leases.
      weight: 12,
      arbitrary: fc.record({ name: fc.constantFrom('arrive' as const, 'arrive' as const, 'restored' as const) }),
    },
    { weight: 1, arbitrary: fc.record({ name: fc.constant('second' as const) }) },
  ),
});
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

const ARRIVE: Step = { turns: 0, what: { name: 'arrive' } };

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

/** Everything that travels arrives, and what follows from it. */
async function settle(model: Model): Promise<void> {
  for (await turns(50); model.database.travelling.length > 0; await turns(50)) model.act(ARRIVE);
}

class Model {
  readonly database = new ModelDatabase();
  readonly streams = new ClusterStreams({
    nodeId: 'own',
    store: this.database,
    monotonicNow: () => 0,
    now: () => 0,
    held: () => [],
  });
  #sessions = 0;
  #hears = true;

  act({ what }: Step): void {
    const { database, streams } = this;
    switch (what.name) {
      case 'change':
        if (what.change === 'begins') {
          database.sessions.set(what.of, (this.#sessions += 1));
          database.endings.delete(what.of);
        } else if (database.sessions.delete(what.of) && what.change === 'ends') {
          database.endings.set(what.of, (this.#sessions += 1));
        }
        if (this.#hears) streams.streamChanged({ accountId: 'acme', streamName: what.of });
        return;
      case 'refresh':
        return void streams.refreshIfStale(idOf(what.of))?.catch(() => undefined);
      case 'execute':
        return database.pick(what.index, ({ isExecuted }) => !isExecuted)?.execute();
      case 'answer':
      case 'fail': {
        const read = database.pick(what.index, ({ isExecuted }) => isExecuted);
        if (!read) return;
        database.travelling.splice(database.travelling.indexOf(read), 1);
        return read[what.name]();
      }
      case 'arrive':
        for (const read of database.travelling.splice(0)) {
          if (!read.isExecuted) read.execute();
          read.answer();
        }
        return;
      case 'lost':
        this.#hears = false;
        return streams.lost();
      case 'restored':
        this.#hears = true;
        return streams.restored();
      case 'again':
        return streams.readAgain();
      case 'second':
        return mock.timers.tick(1_000);
    }
  }

  /** What this node knows, and what is true. */
  get known() {
    return NAMES.map((name) => [
      this.streams.find(idOf(name))?.sources[0]?.sessionId,
      this.streams.endOf(idOf(name))?.endedOn,
    ]);
  }

  get stored() {
    const { sessions, endings } = this.database;
    return NAMES.map((name) => [sessions.get(name)?.toString(), endings.get(name)]);
  }

  get isCurrent(): boolean {
    const refresh = this.streams.refreshIfStale(idOf('neither'));
    refresh?.catch(() => undefined);
    if (refresh) this.database.travelling.pop()!.fail();
    return refresh === undefined;
  }
}

describe('the streams of other nodes, whatever is late, lost or reported at once', () => {
  const anySteps = fc.array(anyStep, { minLength: 10, maxLength: 80, size: 'max' });
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  const faults: unknown[] = [];
  let unfollow: () => void;
  // Not before the tests of other files that share the process.
  before(() => (unfollow = followFaults(({ error }) => faults.push(error))));
  after(() => unfollow());
  afterEach(() => {
    mock.timers.reset();
    assert.deepEqual(faults, []);
  });

  it('are those of the database when this node is current and all reads are answered', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(anySteps, fc.boolean(), async (steps, isLostBefore) => {
        const model = new Model();
        if (isLostBefore) model.act({ turns: 0, what: { name: 'lost' } });
        model.streams.start().catch(() => undefined);
        for (const step of steps) {
          await turns(step.turns);
          model.act(step);
          await turns(30);
          if (model.database.travelling.length > 0 || !model.isCurrent) continue;
          compared += 1;
          assert.deepEqual(model.known, model.stored);
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(compared > 300, `only ${compared} times: the property says little`);
  });

  it('are current and those of the database in the end, when changes are heard and the database answers', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const model = new Model();
        model.streams.start().catch(() => undefined);
        for (const step of steps) {
          await turns(step.turns);
          model.act(step);
        }
        // Without a further report to this node, if it hears.
        model.act({ turns: 0, what: { name: 'second' } });
        await settle(model);
        if (model.isCurrent) assert.deepEqual(model.known, model.stored);
        model.act({ turns: 0, what: { name: 'restored' } });
        await settle(model);
        assert.ok(model.isCurrent);
        assert.deepEqual(model.known, model.stored);
        const ofAccount = model.streams.ofAccount('acme').map(({ sources }) => sources[0]?.sessionId);
        assert.deepEqual(ofAccount.toSorted(), model.stored.flatMap(([session]) => session ?? []).toSorted());
      }),
      { numRuns: 300 },
    );
  });
});
