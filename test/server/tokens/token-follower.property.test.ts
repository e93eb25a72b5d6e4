import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import * as fc from 'fast-check';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import { TokenFollower, type TokenChangeListener } from '../../../server/tokens/token-follower.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { aTokenRecord } from '../../support/token.js';

/** An event in the database or on the channel, at any moment of the follower's reads. */
type Step =
  | { readonly type: 'create' | 'lose-channel' | 'channel-back' | 'database-fails' | 'database-back' | 'time-passes' }
  | { readonly type: 'change' | 'refresh' | 'delete' | 'delete-here' | 'ask' | 'ask-by-id'; readonly id: number };

const id = fc.integer({ min: 1, max: 4 });
const create = fc.record({ type: fc.constant('create' as const) });
const channel = fc.record({ type: fc.constantFrom('lose-channel' as const, 'channel-back' as const) });
const remove = fc.record({ type: fc.constantFrom('delete' as const, 'delete-here' as const), id });
const askById = fc.record({ type: fc.constant('ask-by-id' as const), id });
const others = fc.record({ type: fc.constantFrom('change' as const, 'refresh' as const, 'ask' as const), id });

const database = fc.record({
  type: fc.constantFrom('database-fails' as const, 'database-back' as const, 'time-passes' as const),
});

/** The first scenario finds most faults. Few steps of few kinds reach the rare orders. */
const STORIES: readonly (readonly [name: string, steps: fc.Arbitrary<readonly Moment[]>])[] = [
  ['everything', storyOf(fc.oneof(create, create, others, others, remove, channel, askById), 12)],
  ['deletions while the channel is lost', storyOf(fc.oneof(create, remove, channel, askById), 8)],
  ['a database that fails', storyOf(fc.oneof(create, others, remove, channel, database, database, askById), 12)],
];

/** A step, and how many pending answers and notifications arrive before it. */
interface Moment {
  readonly step: Step;
  readonly arrivals: number;
}

function storyOf(step: fc.Arbitrary<Step>, maxLength: number): fc.Arbitrary<readonly Moment[]> {
  return fc.array(fc.record({ step, arrivals: fc.nat(4) }), { maxLength });
}

const BATCH = 2;

/** A database that answers with its state at the time of the query, at a time that the scheduler chooses. */
class SlowStore {
  readonly tokens = new Map<number, TokenRecord>();
  /** Answers arrive, and say nothing. */
  fails = false;
  reads = 0;
  comparisons = 0;
  readonly #scheduler: fc.Scheduler;
  #lastId = 0;
  #values = 0;

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
  }

  create(): number {
    const id = (this.#lastId += 1);
    this.tokens.set(id, aTokenRecord({ id, token: this.#newValue(), revision: 1 }));
    return id;
  }

  change(id: number): void {
    this.#revise(id, (token) => ({ ...token, isActive: !token.isActive }));
  }

  refresh(id: number): void {
    this.#revise(id, (token) => ({ ...token, token: this.#newValue() }));
  }

  find = (id: number) => this.#slowly(this.tokens.get(id));

  findByValue = (value: string) => this.#slowly([...this.tokens.values()].find(({ token }) => token === value));

  publishTokens = () => this.all();

  /** Never fails: a server that cannot read its tokens does not start. */
  all = () => this.#batches((batch) => this.#later(batch));

  revisions = (): AsyncGenerator<Pick<TokenRecord, 'id' | 'revision'>> => {
    this.comparisons += 1;
    return this.#batches((batch) => this.#slowly(batch));
  };

  async *#batches(read: (batch: TokenRecord[]) => Promise<TokenRecord[]>): AsyncGenerator<TokenRecord> {
    for (let lastId = 0; ;) {
      const batch = await read(this.#after(lastId));
      yield* batch;
      if (batch.length === 0) return;
      lastId = batch.at(-1)!.id;
    }
  }

  #after(lastId: number): TokenRecord[] {
    return [...this.tokens.values()].filter(({ id }) => id > lastId).slice(0, BATCH);
  }

  async #slowly<Answer>(answer: Answer): Promise<Answer> {
    this.reads += 1;
    const { fails } = this;
    await this.#later(undefined);
    if (fails) throw new Error('the database fails');
    return answer;
  }

  #later<Answer>(answer: Answer): Promise<Answer> {
    return this.#scheduler.schedule(Promise.resolve(answer), 'answer');
  }

  #revise(id: number, revised: (token: TokenRecord) => TokenRecord): void {
    const token = this.tokens.get(id);
    if (token) this.tokens.set(id, { ...revised(token), revision: token.revision + 1 });
  }

  #newValue(): string {
    return (this.#values += 1).toString(16).padStart(64, '0');
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What a story has done, and what is still on its way. */
interface Told {
  readonly store: SlowStore;
  readonly directory: TokenDirectory;
  readonly follower: TokenFollower;
  /** The database answers again, and the channel is there. */
  mend(): void;
  /** Nothing is on its way any more. */
  settle(): Promise<void>;
}

async function tell(scheduler: fc.Scheduler, atFirst: number, moments: readonly Moment[]): Promise<Told> {
  const store = new SlowStore(scheduler);
  for (let made = 0; made < atFirst; made += 1) store.create();
  const directory = new TokenDirectory();
  let listener: TokenChangeListener | undefined;
  let connected = true;
  const changes = {
    start: async (given: TokenChangeListener) => void (listener = given),
    close: async () => {},
  };
  const follower = new TokenFollower({ store, directory, changes });
  const asked: Promise<unknown>[] = [];
  const ask = (answer: Promise<void> | undefined) => {
    const mayFail = Promise.resolve(answer).catch((error) => {
      if (error.code !== 'database_unavailable') throw error;
    });
    asked.push(mayFail);
  };
  const notify = (id: number) => {
    // A notification without a listener is lost.
    if (connected) void scheduler.schedule(Promise.resolve(), 'notice').then(() => listener?.changed(id));
  };
  const reconnect = () => {
    connected = true;
    listener?.anyChanged();
  };

  const take = (one: Step): void => {
    switch (one.type) {
      case 'create':
        notify(store.create());
        break;
      case 'lose-channel':
        connected = false;
        listener?.lost();
        break;
      case 'channel-back':
        if (!connected) reconnect();
        break;
      case 'database-fails':
      case 'database-back':
        store.fails = one.type === 'database-fails';
        break;
      case 'time-passes':
        mock.timers.tick(1_000);
        break;
      case 'ask-by-id':
        // Also ids that do not exist yet: anybody can name one.
        ask(follower.refreshParentOf(`a.${asked.length}.c`, one.id));
        break;
      default:
        takeOf(one.type, store.tokens.get(one.id));
    }
  };
  const takeOf = (
    type: Exclude<Extract<Step, { readonly id: number }>['type'], 'ask-by-id'>,
    token: TokenRecord | undefined,
  ): void => {
    if (!token) return;
    const { id } = token;
    if (type === 'ask') return ask(follower.refreshIfStale(token.token));
    if (type === 'change') store.change(id);
    if (type === 'refresh') store.refresh(id);
    if (type === 'delete' || type === 'delete-here') store.tokens.delete(id);
    if (type === 'delete-here') directory.remove(id);
    notify(id);
  };

  const started = follower.start();
  await turn();
  for (const { step, arrivals } of moments) {
    for (let left = arrivals; left > 0 && scheduler.count() > 0; left -= 1) {
      await scheduler.waitOne();
      await turn();
    }
    take(step);
    await turn();
  }
  return {
    store,
    directory,
    follower,
    mend() {
      store.fails = false;
      if (!connected) reconnect();
    },
    async settle() {
      for (await turn(); scheduler.count() > 0; await turn()) await scheduler.waitOne();
      await started;
      await Promise.all(asked);
    },
  };
}

describe('the directory of a follower', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  for (const [name, story] of STORIES) {
    it(`equals the database after any order of changes, notifications and answers: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.nat(3), story, async (scheduler, atFirst, moments) => {
          const { store, directory, follower, mend, settle } = await tell(scheduler, atFirst, moments);
          mend();
          await settle();
          mock.timers.tick(1_000);
          await settle();

          const revisions = (tokens: Iterable<TokenRecord | undefined>) =>
            [...tokens].map((token) => [token?.id, token?.revision, token?.token]).toSorted();
          assert.deepEqual(
            revisions(Array.from(directory.ids(), (id) => directory.findById(id))),
            revisions(store.tokens.values()),
          );
          for (const { token } of store.tokens.values()) {
            assert.equal(follower.refreshIfStale(token), undefined, 'the directory is in sync');
          }
          await follower.close();
        }),
        { numRuns: 3_000 },
      );
    });

    it(`is left alone after the follower was closed at any time: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.nat(3), story, async (scheduler, atFirst, moments) => {
          const { store, follower, settle } = await tell(scheduler, atFirst, moments);
          const closed = follower.close();
          await settle();
          await closed;
          // What was on its way fails, as the database is closed next.
          store.fails = true;
          const { reads, comparisons } = store;
          for (let seconds = 0; seconds < 3; seconds += 1) {
            mock.timers.tick(1_000);
            await settle();
          }
          assert.deepEqual([store.reads - reads, store.comparisons - comparisons], [0, 0]);
        }),
        { numRuns: 500 },
      );
    });
  }
});
