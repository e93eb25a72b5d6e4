import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { SenderReport } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { TimestampRewriter } from '../../../../../server/media/embedded/rtp/timestamp-rewriter.js';

const RATE = 90_000;
/** @param ntpTime in seconds */
const clockAt = (rtpTimestamp: number, ntpTime = 10): SenderReport => ({
  ntpSeconds: Math.floor(ntpTime),
  ntpFraction: (ntpTime % 1) * 2 ** 32,
  rtpTimestamp,
  packets: 1,
  bytes: 1,
});

describe('TimestampRewriter', () => {
  let times: TimestampRewriter;

  beforeEach(() => {
    times = new TimestampRewriter(RATE);
    times.startSource(4_000, undefined, 0);
  });

  /** Sends a packet with this timestamp. */
  function send(timestamp: number, now: number): number {
    const sent = times.rewrite(timestamp);
    times.onSent(sent, now);
    return sent;
  }

  it('keeps the source’s timestamps as long as there is one source', () => {
    assert.deepEqual([send(4_000, 0), send(7_000, 33)], [4_000, 7_000]);
  });

  it('continues by the elapsed time when another source takes over', () => {
    send(4_000, 1_000);
    times.endSource(undefined);
    times.startSource(900_000, undefined, 1_100);
    assert.equal(send(900_000, 1_100), 4_000 + 0.1 * RATE);
    assert.equal(send(903_000, 1_133), 4_000 + 0.1 * RATE + 3_000);
  });

  it('continues by the clocks of both sources if they are known', () => {
    send(4_000, 1_000);
    times.endSource(clockAt(4_000));
    // The same moment is 500 by the other clock: 50 ms passed in the video, 100 ms on the network.
    times.startSource(500 + 0.05 * RATE, clockAt(500), 1_100);
    assert.equal(times.rewrite(500 + 0.05 * RATE), 4_000 + 0.05 * RATE);
  });

  it('continues by clocks that were read at other times', () => {
    send(4_000, 1_000);
    times.endSource(clockAt(4_000, 10.25));
    times.startSource(500, clockAt(500, 10.5), 1_100);
    assert.equal(times.rewrite(500), 4_000 + 0.25 * RATE);
  });

  it('continues by clocks that differ by up to two seconds', () => {
    const wait = (seconds: number) => {
      times.startSource(4_000, undefined, 0);
      const before = send(4_000, 1_000);
      times.endSource(clockAt(4_000));
      times.startSource(500, clockAt(500 - seconds * RATE), 1_100);
      return times.rewrite(500) - before;
    };
    assert.deepEqual([wait(2.1), wait(2.101), wait(1.95)], [2.1 * RATE, 0.1 * RATE, 1.95 * RATE]);
  });

  it('goes on with the timestamps of the source after a gap, if they went on', () => {
    send(4_000, 1_000);
    times.resume(4_000 + 2 * RATE, 3_100);
    assert.equal(send(4_000 + 2 * RATE, 3_100), 4_000 + 2 * RATE);
    assert.equal(times.newest, 4_000 + 2 * RATE);
  });

  it('goes on by the elapsed time after a gap, if the timestamps are others', () => {
    for (const first of [900_000, 4_000, 3_000]) {
      times.startSource(4_000, undefined, 0);
      const before = send(4_000, 1_000);
      times.resume(first, 1_100);
      assert.equal(times.rewrite(first), before + 0.1 * RATE, `${first}`);
    }
  });

  it('goes on a moment later after a gap of no time', () => {
    send(4_000, 1_000);
    times.resume(0, 1_000);
    assert.equal(times.rewrite(0), 4_000 + RATE / 1_000);
  });

  it('keeps the timestamps of a source that nothing was sent of', () => {
    times.resume(9_000, 1_000);
    assert.deepEqual([times.rewrite(9_000), times.newest], [9_000, 0]);
  });

  it('ignores clocks that cannot both be right', () => {
    send(4_000, 1_000);
    times.endSource(clockAt(4_000));
    times.startSource(500, clockAt(500 - 3 * RATE), 1_100);
    assert.equal(times.rewrite(500), 4_000 + 0.1 * RATE);
  });

  it('knows when the last packet was sent', () => {
    assert.equal(times.lastSentAt, undefined);
    send(4_000, 1_234.5);
    assert.equal(times.lastSentAt, 1_234.5);
  });

  it('always gives a later timestamp than the last one, and never far ahead', () => {
    const moment = fc.record({
      first: fc.nat(0xffffffff),
      clock: fc.option(fc.nat(0xffffffff)),
      after: fc.nat(10_000),
    });
    fc.assert(
      fc.property(fc.array(moment, { minLength: 1, maxLength: 20 }), (moments) => {
        const rewriter = new TimestampRewriter(RATE);
        let now = 0;
        let last: number | undefined;
        for (const { first, clock, after } of moments) {
          now += after;
          rewriter.startSource(first, clock === null ? undefined : clockAt(clock), now);
          const sent = rewriter.rewrite(first);
          const ahead = last === undefined ? 1 : (sent - last) | 0;
          assert.ok(ahead > 0 && ahead <= (after / 1_000 + 2.1) * RATE, `${ahead} in ${after} ms`);
          rewriter.onSent(sent, now);
          rewriter.endSource(clock === null ? undefined : clockAt(clock));
          last = sent;
        }
      }),
    );
  });
});
