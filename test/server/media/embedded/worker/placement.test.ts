import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { placeByLoad, type WorkerLoad } from '../../../../../server/media/embedded/worker/placement.js';

const viewer = (
  home: number | undefined,
  ...workers: readonly (readonly [sessions: number, sessionsOfStream: number])[]
) =>
  placeByLoad(
    { role: 'viewer', home },
    workers.map(([sessions, sessionsOfStream], index) => ({ index, sessions, sessionsOfStream })),
  );

describe('placeByLoad puts a viewer', () => {
  it('into the home while the stream is small, even if other workers are idle', () => {
    assert.equal(viewer(1, [0, 0], [20, 20])[0], 1);
  });

  it('elsewhere if the home has many more sessions, and into the home again later', () => {
    assert.equal(viewer(1, [0, 0], [100, 100])[0], 0);
    assert.equal(viewer(1, [90, 90], [80, 80])[0], 1);
  });

  it('into a worker that already relays the stream, before a further one', () => {
    assert.deepEqual(viewer(0, [100, 100], [60, 10], [50, 0]), [1, 2, 0]);
  });

  it('with the other waiting viewers while there is no home', () => {
    assert.equal(viewer(undefined, [0, 0], [5, 3])[0], 1);
    assert.equal(viewer(undefined, [4, 0], [5, 0])[0], 0);
  });

  it('with the other viewers if the home is not running', () => {
    const workers = [
      { index: 0, sessions: 2, sessionsOfStream: 0 },
      { index: 2, sessions: 9, sessionsOfStream: 4 },
    ];
    assert.deepEqual(placeByLoad({ role: 'viewer', home: 1 }, workers), [2, 0]);
  });
});

it('into one of the running workers: each is returned once', () => {
  const loads = fc.uniqueArray(
    fc.record({
      index: fc.nat(63),
      sessions: fc.nat(2_000),
      sessionsOfStream: fc.nat(500),
    }) satisfies fc.Arbitrary<WorkerLoad>,
    { selector: ({ index }) => index },
  );
  const home = fc.option(fc.nat(63), { nil: undefined });
  fc.assert(
    fc.property(home, loads, (home, workers) => {
      const placed = placeByLoad({ role: 'viewer', home }, workers);
      assert.deepEqual(placed.toSorted(), workers.map(({ index }) => index).toSorted());
    }),
  );
});

it('spreads a crowd on one stream over all workers', () => {
  const workers = [0, 1, 2, 3].map((index) => ({ index, sessions: 0, sessionsOfStream: 0 }));
  const join = (role: 'publisher' | 'viewer', home: number | undefined) => {
    const [best] = placeByLoad({ role, home }, workers);
    workers[best!]!.sessions++;
    workers[best!]!.sessionsOfStream++;
    return best;
  };
  const home = join('publisher', undefined);
  for (let viewers = 0; viewers < 1_000; viewers++) join('viewer', home);
  const sessions = workers.map((worker) => worker.sessions);
  assert.ok(Math.max(...sessions) - Math.min(...sessions) <= 40, String(sessions));
});

it('keeps each of many small streams in one worker, and shares the workers', () => {
  const workers = [0, 1, 2, 3].map((index) => ({ index, sessions: 0 }));
  let split = 0;
  for (let stream = 0; stream < 100; stream++) {
    const here = new Map<number, number>();
    const join = (role: 'publisher' | 'viewer', home: number | undefined) => {
      const loads = workers.map((worker) => ({ ...worker, sessionsOfStream: here.get(worker.index) ?? 0 }));
      const [best] = placeByLoad({ role, home }, loads);
      workers[best!]!.sessions++;
      here.set(best!, (here.get(best!) ?? 0) + 1);
      return best;
    };
    const home = join('publisher', undefined);
    for (let viewers = 0; viewers < 10; viewers++) join('viewer', home);
    if (here.size > 1) split++;
  }
  assert.equal(split, 0);
  const sessions = workers.map((worker) => worker.sessions);
  assert.ok(Math.max(...sessions) - Math.min(...sessions) <= 20, String(sessions));
});
