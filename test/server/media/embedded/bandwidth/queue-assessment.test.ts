import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { QueueAssessment, type SentNow } from '../../../../../server/media/embedded/bandwidth/queue-assessment.js';

const MEGABIT = 1_000_000;
const sent = (parts: Partial<SentNow> = {}): SentNow => ({ estimate: MEGABIT, reducible: MEGABIT, ...parts });

/** What each of these queues means, one after another. */
const meanings = (queues: readonly number[], now = sent(), shrinking = false) => {
  const assessment = new QueueAssessment();
  return queues.map((queue) => assessment.assess({ queue, shrinking }, now));
};

describe('a queue of a viewer’s path', () => {
  it('is none below 12.5 ms, and short up to 25 ms', () => {
    assert.deepEqual(meanings([0, 12, 13, 25]), ['none', 'none', 'short', 'short']);
  });

  it('counts from the time of a large packet on where the path is slow', () => {
    assert.deepEqual(meanings([23, 47], sent({ estimate: 200_000 })), ['none', 'short']);
  });

  it('is congestion when it is seen twice, or is longer than 100 ms', () => {
    assert.deepEqual(meanings([30, 30]), ['unclear', 'congestion']);
    assert.deepEqual(meanings([101]), ['congestion']);
    assert.deepEqual(meanings([30, 5, 30]), ['unclear', 'none', 'unclear']);
  });

  it('is no congestion while it shrinks', () => {
    assert.deepEqual(meanings([200, 150, 90], sent(), true), ['unclear', 'unclear', 'unclear']);
  });

  it('is that of others when four reductions did not shorten it', () => {
    const assessment = new QueueAssessment();
    const steps = [1, 0.85, 0.7, 0.6, 0.5].map((part) =>
      assessment.assess({ queue: 200, shrinking: false }, sent({ reducible: part * MEGABIT })),
    );
    assert.deepEqual(steps, [...Array.from({ length: 4 }, () => 'congestion'), 'of others']);
  });

  it('is that of others after as many steps if no less can be sent, and never if the sender does not send less', () => {
    const queues = Array.from({ length: 5 }, () => 200);
    assert.equal(meanings(queues, sent({ reducible: undefined })).at(-1), 'of others');
    assert.ok(!meanings(queues).includes('of others'));
  });

  it('of less than half of the limit is always none, whatever was before', () => {
    const before = fc.array(fc.record({ queue: fc.nat(2_000), shrinking: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(before, fc.boolean(), (estimates, isReducible) => {
        const assessment = new QueueAssessment();
        const now = sent(isReducible ? {} : { reducible: undefined });
        for (const estimate of estimates) assessment.assess(estimate, now);
        assert.equal(assessment.assess({ queue: 12, shrinking: false }, now), 'none');
        assert.equal(assessment.assess({ queue: 30, shrinking: false }, now), 'unclear');
      }),
    );
  });
});
