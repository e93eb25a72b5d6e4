import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import { TokenFollower, type TokenChangeListener } from '../../../server/tokens/token-follower.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { aTokenRecord } from '../../support/token.js';

/** An event in the database or on the channel, at any moment of the follower's reads. */
type Step =
  | { readonly type: 'create' | 'lose-channel' | 'channel-back' }
  | { readonly type: 'change' | 'refresh' | 'delete' | 'delete-here' | 'ask' | 'ask-by-id'; readonly id: number };

const id = fc.integer({ min: 1, max: 4 });
const create = fc.record({ type: fc.constant('create' as const) });
const channel = fc.record({ type: fc.constantFrom('lose-channel' as const, 'channel-back' as const) });
const remove = fc.record({ type: fc.constantFrom('delete' as const, 'delete-here' as const), id });
const askById = fc.record({ type: fc.constant('ask-by-id' as const), id });
const others = fc.record({ type: fc.constantFrom('change' as const, 'refresh' as const, 'ask' as const), id });

/** The first scenario finds most faults. Few steps of few kinds reach the rare orders. */
const STORIES: readonly (readonly [name: string, steps: fc.Arbitrary<readonly Moment[]>])[] = [
  ['everything', storyOf(fc.oneof(create, create, others, others, remove, channel, askById), 12)],
  ['deletions while the channel is lost', storyOf(fc.oneof(create, remove, channel, askById), 8)],
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

  async *all(): AsyncGenerator<TokenRecord> {
    for (let lastId = 0; ;) {
      const batch = this.#after(lastId);
      if (batch.length === 0) return;
      yield* await this.#slowly(batch);
      lastId = batch.at(-1)!.id;
    }
  }

  async *revisions(): AsyncGenerator<Pick<TokenRecord, 'id' | 'revision'>> {
    yield* this.all();
  }

  #after(lastId: number): TokenRecord[] {
    return [...this.tokens.values()].filter(({ id }) => id > lastId).slice(0, BATCH);
  }

  #slowly<Answer>(answer: Answer): Promise<Answer> {
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

describe('the directory of a follower', () => {
  for (const [name, story] of STORIES)
    it(`equals the database after any order of changes, notifications and answers: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.nat(3), story, async (scheduler, atFirst, moments) => {
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
              case 'ask-by-id':
                // Also ids that do not exist yet: anybody can name one.
                asked.push(Promise.resolve(follower.refreshParentOf(`a.${asked.length}.c`, one.id)));
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
            if (type === 'ask') return void asked.push(Promise.resolve(follower.refreshIfStale(token.token)));
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
          if (!connected) reconnect();
          for (await turn(); scheduler.count() > 0; await turn()) await scheduler.waitOne();
          await started;
          await Promise.all(asked);

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
});
