import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FairTurns } from '../../../server/sessions/fair-turns.js';

interface Work {
  readonly owner: string;
  readonly cost: number;
  outcome: 'waiting' | 'begun' | 'refused';
}

/** An event loop by hand. Work takes as many milliseconds as it costs. */
class Loop {
  time = 0;
  readonly turns = new FairTurns({
    now: () => this.time,
    afterWork: (callback) => () => this.#afterWork.push(callback),
    afterIo: (callback) => () => this.#afterIo.push(callback),
  });
  /** All work, in the order in which it was settled. */
  readonly settled: Work[] = [];
  #afterWork: (() => void)[] = [];
  #afterIo: (() => void)[] = [];

  get begun(): string {
    return this.settled.flatMap(({ owner, outcome }) => (outcome === 'begun' ? owner : [])).join('');
  }

  async take(owner: string, cost = 1): Promise<Work> {
    const work: Work = { owner, cost, outcome: 'waiting' };
    const turn = this.turns.take(() => owner, cost);
    if (typeof turn === 'boolean') this.#settle(work, turn);
    else void turn.then((isTurn) => this.#settle(work, isTurn));
    await this.#work();
    return work;
  }

  /** The loop looks after its sockets. Returns false if nothing is left to do. */
  async turn(): Promise<boolean> {
    const callbacks = this.#afterIo;
    this.#afterIo = [];
    for (const callback of callbacks) callback();
    await this.#work();
    return callbacks.length > 0;
  }

  async end(): Promise<void> {
    while (await this.turn());
  }

  async #work(): Promise<void> {
    for (;;) {
      // Promises settle.
      await new Promise(setImmediate);
      const callbacks = this.#afterWork;
      this.#afterWork = [];
      if (callbacks.length === 0) return;
      for (const callback of callbacks) callback();
    }
  }

  #settle(work: Work, isTurn: boolean): void {
    work.outcome = isTurn ? 'begun' : 'refused';
    if (isTurn) this.time += work.cost;
    this.settled.push(work);
  }
}

/** A loop whose present turn is used up. */
async function lateLoop(): Promise<Loop> {
  const loop = new Loop();
  await loop.take('-', 10);
  return loop;
}

describe('fair turns', () => {
  it('let work begin at once while the loop is in time, without a look at whose it is', async () => {
    const loop = new Loop();
    await loop.take('a');
    await loop.end();
    const never = () => assert.fail('the owner is not needed');
    assert.deepEqual([loop.turns.take(never, 1), loop.turns.take(never, 1)], [true, true]);
  });

  it('let the first work of each turn of the loop begin at once, also after a pause', async () => {
    const loop = new Loop();
    const first = await loop.take('a');
    await loop.turn();
    const next = await loop.take('a', 4);
    await loop.turn();
    loop.time += 60_000;
    const afterPause = await loop.take('a');
    assert.deepEqual([first.outcome, next.outcome, afterPause.outcome], ['begun', 'begun', 'begun']);
  });

  it('give a turn no more time when what waited is done before its end', async () => {
    const loop = await lateLoop();
    await loop.take('a', 6);
    await loop.turn();
    const work = await loop.take('b');
    assert.deepEqual([loop.begun, work.outcome], ['-a', 'waiting']);
  });

  it('have work wait as soon as a turn has taken five milliseconds', async () => {
    const loop = new Loop();
    await loop.take('a', 4);
    await loop.take('b', 4);
    const third = await loop.take('c', 4);
    assert.deepEqual([loop.begun, third.outcome], ['ab', 'waiting']);
    await loop.turn();
    assert.equal(third.outcome, 'begun');
  });

  it('begin no more in one turn of the loop than it has time for', async () => {
    const loop = await lateLoop();
    for (const owner of 'abcdef') await loop.take(owner, 2);
    await loop.turn();
    assert.equal(loop.begun, '-abc');
    await loop.turn();
    assert.equal(loop.begun, '-abcdef');
  });

  it('let work begin at once again when nothing waits', async () => {
    const loop = await lateLoop();
    await loop.take('a');
    await loop.end();
    const work = await loop.take('b');
    assert.equal(work.outcome, 'begun');
  });

  it('give one caller a turn before the second one of those who call often', async () => {
    const loop = await lateLoop();
    for (let call = 0; call < 50; call += 1) await loop.take('a');
    await loop.take('b');
    await loop.end();
    assert.equal(loop.begun.slice(0, 4), '-aba');
  });

  it('give a little call its turn before a hundred big ones', async () => {
    const loop = await lateLoop();
    for (let network = 0; network < 100; network += 1) await loop.take(`network ${network}`, 50);
    await loop.turn();
    const work = await loop.take('b');
    await loop.turn();
    assert.equal(work.outcome, 'begun');
    await loop.end();
    assert.equal(loop.settled.length, 102);
  });

  it('use all the time for one owner if there is no other', async () => {
    const loop = await lateLoop();
    for (let call = 0; call < 200; call += 1) await loop.take('a');
    await loop.end();
    assert.equal(loop.begun, `-${'a'.repeat(200)}`);
  });

  it('refuse who has waited for more than five seconds', async () => {
    const loop = await lateLoop();
    const first = await loop.take('a');
    loop.time += 4_999;
    const second = await loop.take('b');
    loop.time += 2;
    await loop.turn();
    assert.deepEqual([first.outcome, second.outcome], ['refused', 'begun']);
  });

  it('refuse the newest work of who has the most, when too much waits', async () => {
    const loop = await lateLoop();
    const all: Work[] = [];
    for (let call = 0; call < 8; call += 1) all.push(await loop.take('a', 1_000));
    const other = await loop.take('b', 1_000);
    const more = await loop.take('a', 1_000);
    assert.deepEqual(
      [...all, other, more].map(({ outcome }) => outcome),
      [...Array<string>(7).fill('waiting'), 'refused', 'waiting', 'refused'],
    );
  });

  const calls = fc.array(
    fc.record({ owner: fc.constantFrom(...'abcdefgh'), cost: fc.integer({ min: 1, max: 60 }), turns: fc.nat(2) }),
    { maxLength: 60 },
  );

  it('lose nothing, hold no more than they may, and keep the order of each owner', async () => {
    const large = fc.record({
      owner: fc.constantFrom(...'abc'),
      cost: fc.integer({ min: 1, max: 3_000 }),
      turns: fc.nat(1),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(calls, fc.array(large, { maxLength: 40 })), async (all) => {
        const loop = await lateLoop();
        const taken: Work[] = [];
        for (const { owner, cost, turns } of all) {
          taken.push(await loop.take(owner, cost));
          assert.ok(loop.turns.waiting <= 8_192);
          for (let turn = 0; turn < turns; turn += 1) await loop.turn();
        }
        await loop.end();
        assert.equal(loop.turns.waiting, 0);
        assert.equal(loop.settled.length, all.length + 1);
        for (const owner of 'abcdefgh') {
          const begun = (works: readonly Work[]) =>
            works.filter((work) => work.owner === owner && work.outcome === 'begun');
          assert.deepEqual(begun(loop.settled), begun(taken));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('give others no more than the cost of a piece of work, and one piece each, while that is the next of its owner', async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 60 }), async (all, cost) => {
        const loop = await lateLoop();
        for (const { owner, cost: ofOther, turns } of all) {
          await loop.take(owner, ofOther);
          for (let turn = 0; turn < turns; turn += 1) await loop.turn();
        }
        const before = loop.settled.length;
        const work = await loop.take('z', cost);
        // The others go on and on.
        while (work.outcome === 'waiting') {
          for (const owner of 'abcdefgh') await loop.take(owner, 7);
          await loop.turn();
        }
        assert.equal(work.outcome, 'begun');
        const meanwhile = loop.settled.slice(before, loop.settled.indexOf(work));
        for (const owner of 'abcdefgh') {
          const [, ...more] = meanwhile.filter((other) => other.owner === owner).map((other) => other.cost);
          const sum = more.reduce((total, ofOther) => total + ofOther, 0);
          assert.ok(sum <= cost, `${owner} had ${sum} meanwhile, for ${cost}`);
        }
      }),
      { numRuns: 60 },
    );
  });
});
