import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ResendHistory } from '../../../../../server/media/embedded/consumer/resend-history.js';

const SEQUENCE = 70_000;

describe('a packet that was resent', () => {
  let history: ResendHistory;
  /** The times, of some, at which it is under way. */
  const underWay = (times: readonly number[], roundTripMs?: number) =>
    times.filter((now) => history.isUnderWay(SEQUENCE, now, roundTripMs));

  beforeEach(() => {
    history = new ResendHistory();
    history.add(SEQUENCE, 5_000);
  });

  it('is under way for a round trip, and no other packet is', () => {
    assert.deepEqual(underWay([5_000, 5_299, 5_300], 300), [5_000, 5_299]);
    assert.equal(history.isUnderWay(SEQUENCE + 1, 5_000, 300), false);
  });

  it('is under way for a tenth of a second if the round-trip time is unknown', () => {
    assert.deepEqual(underWay([5_099, 5_100]), [5_099]);
  });

  it('is under way for no more than a second', () => {
    assert.deepEqual(underWay([5_999, 6_000], 4_000), [5_999]);
  });

  it('is under way again when it was resent again, also after others', () => {
    history.add(SEQUENCE + 1, 5_500);
    history.add(SEQUENCE, 5_900);
    history.add(SEQUENCE + 2, 6_600);
    assert.deepEqual(underWay([6_600, 6_899, 6_900], 1_000), [6_600, 6_899]);
  });
});
