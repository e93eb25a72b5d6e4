import assert from 'node:assert/strict';
import { describe, it, mock, type TestContext } from 'node:test';
import fc from 'fast-check';
import {
  afterAnswer,
  afterLook,
  ASKS_AFTER,
  GIVES_UP_AFTER,
  mediaSigns,
  watchSilence,
  type Silence,
} from '../../../src/client/connection/silence.js';

const LOOK_MS = 2_000;

interface Simulation {
  /** Whether media comes between two looks. */
  readonly media: boolean;
  /** After how many looks a question is answered. Undefined: it is not. */
  readonly answersAfter: number | undefined;
}

/**
 * Runs looks in order.
 * @returns the looks at which the server was asked, and the look at which it was lost
 */
function simulate(looks: readonly Simulation[]): { readonly asked: number[]; readonly lost: number | undefined } {
  let silence: Silence = { media: 0, quiet: 0 };
  const asked: number[] = [];
  const answers = new Map<number, number>();
  let media = 0;
  for (const [index, look] of looks.entries()) {
    for (let answer = answers.get(index) ?? 0; answer > 0; answer -= 1) silence = afterAnswer(silence);
    if (look.media) media += 1;
    silence = afterLook(silence, media);
    if (silence.quiet === ASKS_AFTER) {
      asked.push(index);
      const { answersAfter } = look;
      if (answersAfter !== undefined) {
        const at = index + answersAfter;
        answers.set(at, (answers.get(at) ?? 0) + 1);
      }
    }
    if (silence.quiet === GIVES_UP_AFTER) return { asked, lost: index };
  }
  return { asked, lost: undefined };
}

const repeat = (count: number, look: Simulation): Simulation[] => Array.from({ length: count }, () => look);
const live: Simulation = { media: true, answersAfter: undefined };
const muted: Simulation = { media: false, answersAfter: 1 };
const hung: Simulation = { media: false, answersAfter: undefined };

describe('the silence of a server', () => {
  it('is asked about after the first look without media, and is a loss after three more without an answer', () => {
    const { asked, lost } = simulate([...repeat(5, live), ...repeat(9, hung)]);
    assert.deepEqual([asked, lost], [[5], 8]);
    assert.ok((lost! - 4) * LOOK_MS <= 10_000, 'within ten seconds of the last media');
  });

  it('is no loss while the server answers, and is asked about twice a minute', () => {
    const { asked, lost } = simulate(repeat(61, muted));
    assert.equal(lost, undefined);
    assert.ok(asked.length >= 3 && asked.length <= 5, `${asked.length} questions in two minutes`);
  });

  it('is never a loss while media comes at least every third look, whatever is answered', () => {
    const answersAfter = fc.option(fc.nat(4), { nil: undefined });
    const gaps = fc.array(fc.record({ quiet: fc.nat(GIVES_UP_AFTER - 1), answersAfter }), { maxLength: 40 });
    fc.assert(
      fc.property(gaps, (all) => {
        const looks = all.flatMap(({ quiet, answersAfter }) => [
          ...repeat(quiet, { media: false, answersAfter }),
          live,
        ]);
        assert.equal(simulate(looks).lost, undefined);
      }),
    );
  });

  it('is never a loss while each question is answered within two looks, whenever media comes', () => {
    const look = fc.record({ media: fc.boolean(), answersAfter: fc.integer({ min: 1, max: 2 }) });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 200 }), (looks) => {
        assert.equal(simulate(looks).lost, undefined);
      }),
    );
  });

  it('is always a loss within 40 s after the last media and the last answer, and within ten if media came just before', () => {
    const look = fc.record({ media: fc.boolean(), answersAfter: fc.integer({ min: 1, max: 2 }) });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 60 }), fc.boolean(), (before, endsLive) => {
        const past = endsLive ? [...before, ...repeat(3, live)] : before;
        const { lost } = simulate([...past, ...repeat(20, hung)]);
        assert.ok(lost !== undefined);
        const looks = lost - past.length + 1;
        assert.ok(looks <= (endsLive ? GIVES_UP_AFTER : 20), `${looks} looks`);
      }),
    );
  });
});

describe('the signs of media', () => {
  const signs = (...stats: readonly object[]) => mediaSigns(new Map(stats.map((each, id) => [String(id), each])));

  it('are the packets that a viewer received, of all kinds', () => {
    const video = { type: 'inbound-rtp', timestamp: 5, packetsReceived: 7 };
    const audio = { type: 'inbound-rtp', timestamp: 9, packetsReceived: 4 };
    assert.equal(signs(video, audio, { type: 'transport', timestamp: 1, packetsReceived: 99 }), 11);
  });

  it('are the reports that a broadcaster got, and not what it sent', () => {
    const sent = { type: 'outbound-rtp', timestamp: 50, packetsSent: 100 };
    assert.equal(signs(sent, { type: 'remote-inbound-rtp', timestamp: 42 }), 42);
    assert.equal(signs(sent), 0);
  });
});

describe('watchSilence', () => {
  /** A session in virtual time. */
  const session = (t: TestContext, answer: () => Promise<unknown>) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    t.after(() => mock.timers.reset());
    const life = new AbortController();
    const seen = { asked: 0, lost: [] as string[] };
    let packetsReceived = 0;
    const getStats = async () => new Map([['in', { type: 'inbound-rtp', timestamp: 0, packetsReceived }]]);
    const peer = { getStats } as Partial<RTCPeerConnection> as RTCPeerConnection;
    const command = (name: string) => {
      assert.equal(name, 'ping');
      seen.asked += 1;
      return answer();
    };
    void watchSilence(peer, { command }, life.signal, ({ code }) => seen.lost.push(code));
    const pass = async (looks: number, packets = 0) => {
      for (let look = 0; look < looks; look += 1) {
        packetsReceived += packets;
        mock.timers.tick(LOOK_MS);
        await new Promise(setImmediate);
      }
    };
    return { life, seen, pass };
  };

  it('ends the session of a server that neither sends nor answers, and not sooner', async (t) => {
    let isUp = true;
    const { seen, pass } = session(t, () => (isUp ? Promise.resolve({}) : new Promise(() => {})));
    await pass(5, 10);
    assert.deepEqual(seen, { asked: 0, lost: [] });
    isUp = false;
    await pass(GIVES_UP_AFTER - 1);
    assert.deepEqual(seen, { asked: 1, lost: [] });
    await pass(1);
    assert.deepEqual(seen.lost, ['unreachable']);
  });

  it('takes an error for an answer: an earlier server does not know the command', async (t) => {
    const { seen, pass } = session(t, () => Promise.reject(new Error('unknown_command')));
    await pass(60);
    assert.deepEqual(seen.lost, []);
    assert.ok(seen.asked > 1);
  });

  it('keeps the session while media comes, whatever the websocket does', async (t) => {
    const { seen, pass } = session(t, () => new Promise(() => {}));
    await pass(60, 1);
    assert.deepEqual(seen, { asked: 0, lost: [] });
  });

  it('does nothing after the session', async (t) => {
    const { life, seen, pass } = session(t, () => Promise.resolve({}));
    await pass(3);
    life.abort();
    const { asked } = seen;
    await pass(60);
    assert.deepEqual(seen, { asked, lost: [] });
  });
});
