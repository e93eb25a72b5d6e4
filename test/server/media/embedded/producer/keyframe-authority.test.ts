import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  KeyframeAuthority,
  type KeyframeReason,
} from '../../../../../server/media/embedded/producer/keyframe-authority.js';

const TICK_MS = 20;
const SECOND = 1_000;

interface EncoderOptions {
  readonly bitrate?: number;
  readonly keyframeBytes?: number;
  /** Infinity: it never answers. */
  readonly answerMs?: number;
  readonly isPaced?: boolean;
  readonly encodings?: number;
}

/** An authority, and an encoder that answers each request with one keyframe of that encoding. */
function source({ bitrate, keyframeBytes = 0, answerMs = 60, isPaced = true, encodings = 1 }: EncoderOptions = {}) {
  const authority = new KeyframeAuthority({ encodings, isPaced });
  const asked: number[] = [];
  const keyframes: number[] = [];
  /** By encoding: when the keyframe begins to arrive. */
  const coming = new Map<number, number>();
  let now = 0;

  const take = (index: number) => {
    const urgency = authority.take(index, now);
    if (!urgency) return undefined;
    asked.push(now);
    if (!coming.has(index)) coming.set(index, now + answerMs);
    return urgency;
  };
  const need = (by: object, reason: KeyframeReason, { index = 0, roundTripMs = 0 } = {}) => {
    authority.request(index, { by, reason, roundTripMs }, now);
    return take(index);
  };
  const keyframe = (index = 0) => {
    coming.delete(index);
    keyframes.push(now);
    authority.onKeyframe(index, now);
    authority.addKeyframeBytes(index, keyframeBytes);
  };
  /** @param onTick called before each tick */
  const run = (until: number, onTick: (now: number) => void = () => {}) => {
    for (; now < until; now += TICK_MS) {
      for (const [index, at] of coming) if (now >= at) keyframe(index);
      if (bitrate !== undefined && now % SECOND === 0) authority.onMeasured(0, bitrate);
      onTick(now);
      for (let index = 0; index < encodings; index++) take(index);
    }
  };
  return { authority, asked, keyframes, need, keyframe, run };
}

/** Needs a keyframe every so many ms, always another viewer. */
const every = (ms: number, act: () => void) => (now: number) => {
  if (now % ms === 0) act();
};

describe('a keyframe of an encoding', () => {
  it('is requested at once, and once for all who wait for it', () => {
    const { asked, need, run, authority } = source();
    for (let viewer = 0; viewer < 50; viewer++) need({}, 'join');
    run(2 * SECOND);
    assert.deepEqual(asked, [0]);
    assert.equal(authority.take(0, 10 * SECOND), undefined);
  });

  it('is requested again every half second without an answer, and less often after three seconds', () => {
    const { asked, need, run } = source({ answerMs: Infinity });
    need({}, 'join');
    run(8 * SECOND);
    assert.deepEqual(asked, [0, 500, 1_000, 1_500, 2_000, 2_500, 4_500, 6_500]);
  });

  it('is requested in vain if two requests were not answered, until the next keyframe', () => {
    const { authority, need, run, keyframe } = source({ answerMs: Infinity });
    need({}, 'join');
    run(SECOND);
    assert.equal(authority.isInVain(0), false);
    run(SECOND + TICK_MS);
    assert.equal(authority.isInVain(0), true);
    keyframe();
    assert.equal(authority.isInVain(0), false);
  });

  it('is not known to be requested in vain where another authority paces the requests', () => {
    const { authority, need, run } = source({ answerMs: Infinity, isPaced: false });
    need({}, 'join');
    run(4 * SECOND);
    assert.equal(authority.isInVain(0), false);
  });

  it('is not requested again while a slow publisher answers', () => {
    const { asked, keyframes, need, run } = source({ answerMs: 900 });
    run(
      60 * SECOND,
      every(5 * SECOND, () => need({}, 'join')),
    );
    assert.equal(keyframes.length, 12);
    // The first answers show how long they take.
    assert.ok(asked.length <= 16, `${asked.length} requests`);
  });

  it('is not requested any more if those who waited left', () => {
    const { asked, authority, need, run } = source({ answerMs: Infinity });
    const viewer = {};
    need(viewer, 'join');
    authority.withdraw(0, viewer);
    run(5 * SECOND);
    assert.deepEqual(asked, [0]);
  });

  it('is requested of that encoding alone', () => {
    const { authority, need } = source({ encodings: 3 });
    need({}, 'join', { index: 1 });
    assert.deepEqual([authority.take(0, 0), authority.take(2, 0)], [undefined, undefined]);
    assert.equal(need({}, 'join', { index: 2 }), 'urgent');
  });

  it('is the answer to a viewer who asked before it came there', () => {
    const { asked, need, keyframe, run } = source();
    keyframe();
    run(100);
    need({}, 'repair', { roundTripMs: 150 });
    run(3 * SECOND);
    assert.deepEqual(asked, []);
    need({}, 'repair', { roundTripMs: 150 });
    assert.equal(asked.length, 1);
  });
});

describe('while viewers join all the time, keyframes', () => {
  const joining = (options: EncoderOptions) => {
    const { keyframes, need, run } = source(options);
    run(
      30 * SECOND,
      every(100, () => need({}, 'join')),
    );
    // After the start, when size and bitrate are known.
    return keyframes.filter((at) => at >= 10 * SECOND).length;
  };

  it('come every two seconds until it is known what they cost', () => {
    assert.equal(joining({}), 10);
  });

  it('take 15 % of the bitrate', () => {
    // 45 kB at 1.5 Mbit/s: 1.6 s.
    assert.equal(joining({ bitrate: 1_500_000, keyframeBytes: 45_000 }), 12);
  });

  it('come at most once a second, however small they are', () => {
    assert.ok(joining({ bitrate: 4_000_000, keyframeBytes: 5_000 }) <= 20);
  });

  it('come every three seconds, however large they are', () => {
    assert.ok(joining({ bitrate: 100_000, keyframeBytes: 200_000 }) >= 6);
  });
});

describe('a better layer', () => {
  it('is requested at once if no keyframe came lately', () => {
    assert.equal(source().need({}, 'upgrade'), 'patient');
  });

  it('waits for a keyframe that others need', () => {
    const { asked, keyframes, need, run } = source();
    need({}, 'join');
    run(SECOND);
    need({}, 'upgrade');
    run(1_500);
    assert.equal(asked.length, 1);
    need({}, 'join');
    run(10 * SECOND);
    assert.deepEqual([asked.length, keyframes.length], [2, 2]);
  });

  it('is requested when the last keyframe is paid, if nobody else needs one', () => {
    const { asked, need, run } = source();
    need({}, 'join');
    run(SECOND);
    need({}, 'upgrade');
    run(10 * SECOND);
    assert.equal(asked.length, 2);
    assert.ok(asked[1]! >= 2 * SECOND && asked[1]! <= 2_200, `${asked[1]}`);
  });

  it('becomes urgent if the viewer loses the picture meanwhile', () => {
    const { asked, need, run } = source();
    need({}, 'join');
    run(SECOND);
    const viewer = {};
    need(viewer, 'upgrade');
    need(viewer, 'join');
    assert.deepEqual(asked, [0, SECOND]);
  });
});

describe('a viewer on a bad line, who asks twice a second,', () => {
  it('causes fewer and fewer keyframes', () => {
    const { asked, need, run } = source();
    const viewer = {};
    run(
      40 * SECOND,
      every(500, () => need(viewer, 'repair')),
    );
    assert.ok(asked.length <= 8, `${asked.length} requests`);
    assert.ok(asked.at(-1)! >= 30 * SECOND, 'not forgotten for ever');
  });

  it('delays nobody else', () => {
    const { asked, need, run } = source();
    const viewer = {};
    run(
      20 * SECOND,
      every(500, () => need(viewer, 'repair')),
    );
    const before = asked.length;
    run(21 * SECOND);
    need({}, 'repair');
    assert.equal(asked.length, before + 1);
  });

  it('is served by the keyframes that others cause', () => {
    const { asked, authority, need, run } = source();
    const viewer = {};
    run(
      20 * SECOND,
      every(500, () => need(viewer, 'repair')),
    );
    authority.withdraw(0, viewer);
    run(23 * SECOND);
    const before = asked.length;
    need({}, 'join');
    need(viewer, 'repair');
    run(23 * SECOND + 480);
    assert.equal(asked.length, before + 1);
  });

  it('is a viewer like others again after the line was good for a while', () => {
    const { asked, need, run } = source();
    const viewer = {};
    run(
      20 * SECOND,
      every(500, () => need(viewer, 'repair')),
    );
    run(60 * SECOND);
    const before = asked.length;
    need(viewer, 'repair');
    run(63 * SECOND);
    need(viewer, 'repair');
    assert.equal(asked.length, before + 2);
  });
});

describe('a source of another worker', () => {
  it('has its requests passed on at once, because the worker of the publisher decides', () => {
    const { asked, need, run } = source({ isPaced: false });
    run(
      SECOND,
      every(200, () => need({}, 'join')),
    );
    assert.equal(asked.length, 5);
  });

  it('has an urgent request passed on after one that can wait', () => {
    const { need } = source({ isPaced: false, answerMs: Infinity });
    assert.equal(need({}, 'upgrade'), 'patient');
    assert.equal(need({}, 'join'), 'urgent');
    assert.equal(need({}, 'join'), undefined);
  });
});

it('keyframes stay within the budget, and all are served in time, whoever needs them and when', () => {
  const viewers = Array.from({ length: 5 }, () => ({}));
  const needs = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 1_000 }).map((tick) => tick * TICK_MS),
      viewer: fc.constantFrom(...viewers),
      reason: fc.constantFrom<KeyframeReason>('join', 'repair', 'upgrade'),
    }),
    { maxLength: 200 },
  );
  const encoder = fc.record({
    bitrate: fc.integer({ min: 100_000, max: 5_000_000 }),
    // Of 1 s to 3 s of the budget.
    share: fc.double({ min: 0.15, max: 0.45, noNaN: true }),
    answerMs: fc.integer({ min: 0, max: 400 }),
  });
  fc.assert(
    fc.property(needs, encoder, (wanted, { bitrate, share, answerMs }) => {
      const keyframeBytes = (bitrate * share) / 8;
      const { keyframes, need, run } = source({ bitrate, keyframeBytes, answerMs });
      run(30 * SECOND, (now) => {
        for (const { at, viewer, reason } of wanted) if (at === now) need(viewer, reason);
      });
      keyframes.forEach((from, first) =>
        keyframes.slice(first).forEach((to, more) => {
          // Two at once are allowed after a pause, and the size of the first is not known before it came.
          const allowed = 0.15 * bitrate * ((to - from + answerMs) / SECOND) + 2 * 8 * keyframeBytes + 0.3 * bitrate;
          assert.ok((more + 1) * 8 * keyframeBytes <= allowed + 1, `${more + 1} keyframes in ${to - from} ms`);
        }),
      );
      for (const { at, reason } of wanted) {
        // A repair may have to wait until the viewer’s delay is over; an upgrade until everything is paid.
        const latest = at + answerMs + 2 * TICK_MS + { join: 3_000, repair: 8_000 + 3_000, upgrade: 6_000 }[reason];
        if (latest >= 30 * SECOND) continue;
        assert.ok(
          keyframes.some((keyframe) => keyframe >= at && keyframe <= latest),
          `${reason} at ${at}: ${keyframes.join()}`,
        );
      }
    }),
  );
});
