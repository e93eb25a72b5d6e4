import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { upstreamSoftware } from '../../../src/wire/management/upstream.js';
import { readLiveState } from '../../../server/upstream/live-state.js';
import { nextLiveness, nextPollMs, type Liveness } from '../../../server/upstream/liveness.js';
import { EXCHANGES } from '../../support/upstream-exchanges.js';

describe('the live state of a stream at an upstream', () => {
  for (const software of upstreamSoftware.options) {
    it(`is read as ${software} writes it`, () => {
      const { publishUrl, live, offline } = EXCHANGES[software];
      const url = new URL(publishUrl);
      assert.equal(readLiveState(software, live, url), 'live');
      assert.equal(readLiveState(software, offline, url), 'offline');
    });

    it(`is unknown if ${software} refuses, fails, or answers something else`, () => {
      const url = new URL(EXCHANGES[software].publishUrl);
      for (const status of [401, 403, 500, 503]) {
        assert.equal(readLiveState(software, { status, body: '{}' }, url), 'unknown');
      }
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
          const state = readLiveState(software, { status: 200, body }, url);
          assert.ok(state === 'unknown' || /true|false|\[/.test(body), state);
        }),
      );
    });
  }
});

describe('the liveness of a broadcast', () => {
  const starting: Liveness = { name: 'starting', since: 0 };

  it('begins with the first answer that says so', () => {
    assert.deepEqual(nextLiveness(starting, 'offline', 5_000), starting);
    assert.deepEqual(nextLiveness(starting, 'live', 5_000), { name: 'live', misses: 0 });
  });

  it('is over if no media came within thirty seconds, whatever the upstream says meanwhile', () => {
    assert.deepEqual(nextLiveness(starting, 'unknown', 29_999), starting);
    assert.deepEqual(nextLiveness(starting, 'unknown', 30_000), { name: 'over' });
    assert.deepEqual(nextLiveness(starting, 'offline', 30_000), { name: 'over' });
  });

  it('is over after two answers in a row that say so, and not while the upstream cannot be asked', () => {
    const live: Liveness = { name: 'live', misses: 0 };
    const missed = nextLiveness(live, 'offline', 0);
    assert.deepEqual(missed, { name: 'live', misses: 1 });
    assert.deepEqual(nextLiveness(missed, 'live', 0), live);
    assert.deepEqual(nextLiveness(missed, 'unknown', 0), missed);
    assert.deepEqual(nextLiveness(missed, 'offline', 0), { name: 'over' });
  });

  it('stays over, and is asked for most often at its beginning', () => {
    assert.deepEqual(nextLiveness({ name: 'over' }, 'live', 0), { name: 'over' });
    assert.deepEqual(
      [nextPollMs(starting, 0), nextPollMs(starting, 5_000), nextPollMs({ name: 'live', misses: 0 }, 9_000)],
      [250, 1_000, 2_000],
    );
  });
});
