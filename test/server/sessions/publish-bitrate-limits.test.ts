import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { followFaults } from '../../../server/faults/fault.js';
import { limitPublishBitrate } from '../../../server/sessions/publish-bitrate-limits.js';
import { Sessions } from '../../../server/sessions/sessions.js';
import type { StopNotice } from '../../../server/sessions/stop-notice.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aGrant } from '../../support/grant.js';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { sdpOffer } from '../../support/media/offer.js';

const STREAM = 'acme/main';
const LIMIT = 4_000_000;

class FakeLimits extends EventEmitter<{ changed: [accountId: string] }> {
  #max: number | null = LIMIT;

  of(accountId: string) {
    return { maxPublishBitrate: accountId === 'acme' ? this.#max : null };
  }

  set(max: number | null): void {
    this.#max = max;
    this.emit('changed', 'acme');
  }
}

describe('a publisher whose account has a limit of bitrate', () => {
  let engine: FakeEngine;
  let sessions: Sessions;
  let limits: FakeLimits;
  let warnings: object[];
  let stopped: StopNotice[];
  let now: number;
  let ids: number;

  beforeEach(() => {
    engine = new FakeEngine();
    limits = new FakeLimits();
    [warnings, stopped, now, ids] = [[], [], 0, 0];
    sessions = new Sessions({
      engine,
      streams: new StreamRegistry(engine),
      admission: { recheck: () => ({ allowed: true }) },
      refusals: { sourceInUse: () => assert.fail('nobody has the source') },
      log: pino({ level: 'silent' }),
    });
    const log = pino({ base: null, timestamp: false }, { write: (line) => void warnings.push(JSON.parse(line)) });
    limitPublishBitrate({ sessions, limits, now: () => now, log });
  });

  const open = (accountId = 'acme') => {
    ids += 1;
    const grant = {
      ...aGrant({ role: 'Publish', sessionId: `session ${ids}`, accountId, streamName: 'main' }),
      tokenId: 7,
    };
    return sessions.openPublisher(grant, { send() {}, stop: (notice) => void stopped.push(notice) });
  };
  const publish = async (accountId?: string) => {
    const session = open(accountId);
    await session.publish(sdpOffer({ direction: 'sendonly' }));
    return session;
  };
  const told = () => [...engine.toldBitrates.values()];
  const sends = (bitrate: number, seconds: number, stream = STREAM) => {
    for (let second = 0; second < seconds; second += 1) engine.reportBitrate(stream, null, bitrate);
  };

  it('is told the limit before it has the answer, and each new limit while it is connected', async () => {
    await publish();
    assert.deepEqual(told(), [3_736_000]);
    limits.set(2_000_000);
    assert.deepEqual(told(), [1_836_000]);
    limits.set(null);
    assert.deepEqual(told(), [undefined]);
  });

  it('is told alone, and not the viewers of the account', async () => {
    sessions.openViewer(aGrant({ accountId: 'acme', sessionId: 'viewer' }), { send() {}, stop() {} });
    await publish();
    const faults: unknown[] = [];
    const unfollow = followFaults(({ error }) => faults.push(error));
    limits.set(2_000_000);
    unfollow();
    assert.deepEqual([told(), faults], [[1_836_000], []]);
  });

  it('goes on if it cannot be told, which is logged unless it has ended', async () => {
    engine.publish = async () => ({
      id: 'media',
      answer: '',
      renew: () => assert.fail('it keeps its path'),
      limitBitrate: async (max) => assert.equal(max, 3_736_000, 'the engine is busy'),
      close() {},
    });
    const session = await publish();
    limits.set(2_000_000);
    await new Promise(setImmediate);
    assert.deepEqual(
      warnings.map((line) => ({ ...line, err: undefined })),
      [
        {
          level: 40,
          session: 'session 1',
          stream: STREAM,
          err: undefined,
          msg: 'a publisher could not be told its limit of bitrate',
        },
      ],
    );
    limits.set(3_000_000);
    session.end();
    await new Promise(setImmediate);
    assert.equal(warnings.length, 1);
  });

  it('is told nothing without a limit', async () => {
    await publish('other');
    sends(100 * LIMIT, 100, 'other/main');
    assert.deepEqual([told(), stopped, warnings], [[], [], []]);
  });

  it('is told the limit that came while it was connected', async () => {
    limits.set(null);
    const session = open();
    const publishing = session.publish(sdpOffer({ direction: 'sendonly' }));
    limits.set(LIMIT);
    await publishing;
    assert.deepEqual(told(), [3_736_000]);
  });

  it('is warned, and then ended with a sentence of what to set', async () => {
    const session = await publish();
    sends(2 * LIMIT, 2);
    assert.deepEqual([session.notices, warnings], [[], []]);
    sends(2 * LIMIT, 1);
    assert.deepEqual(session.notices, ['bitrate_above_limit']);
    sends(2 * LIMIT, 8);
    assert.equal(session.ended, false);
    assert.deepEqual(warnings, [
      {
        session: 'session 1',
        stream: STREAM,
        bitrate: 2 * LIMIT,
        max: LIMIT,
        level: 40,
        msg: 'a publisher sends more than its account may',
      },
    ]);
    sends(2 * LIMIT, 1);
    assert.equal(session.ended, true);
    const [{ code, closeCode, message } = assert.fail()] = stopped;
    assert.deepEqual([code, closeCode], ['bitrate_too_high', 4013]);
    assert.match(message, /^The encoder sends 8000 kbit\/s, and the account may send 4000\. Set the video bitrate/);
  });

  it('gets less time when it comes again within ten minutes', async () => {
    await publish();
    sends(2 * LIMIT, 12);
    now += 599_999;
    const again = await publish();
    sends(2 * LIMIT, 3);
    assert.equal(again.ended, false);
    sends(2 * LIMIT, 1);
    assert.equal(again.ended, true);
    now += 600_000;
    const later = await publish();
    sends(2 * LIMIT, 11);
    assert.equal(later.ended, false);
  });

  it('gets as much time when it comes again after it left by itself', async () => {
    const session = await publish();
    session.end();
    const again = await publish();
    sends(2 * LIMIT, 11);
    assert.equal(again.ended, false);
  });

  it('is no longer warned when it sends less, or when the limit is raised', async () => {
    const session = await publish();
    for (const calm of [() => sends(LIMIT / 2, 3), () => limits.set(2 * LIMIT)]) {
      sends(1.5 * LIMIT, 5);
      assert.deepEqual(session.notices, ['bitrate_above_limit']);
      calm();
      assert.deepEqual(session.notices, []);
    }
    sends(1.5 * LIMIT, 100);
    assert.deepEqual([session.notices, session.ended], [[], false]);
  });

  it('is judged by what it sends after the limit was lowered', async () => {
    limits.set(2 * LIMIT);
    const session = await publish();
    sends(2 * LIMIT, 100);
    limits.set(LIMIT);
    sends(2 * LIMIT, 11);
    assert.equal(session.ended, false);
    sends(2 * LIMIT, 1);
    assert.equal(session.ended, true);
  });

  it('goes on if another limit of the account changes', async () => {
    const session = await publish();
    sends(2 * LIMIT, 11);
    limits.emit('changed', 'acme');
    sends(2 * LIMIT, 1);
    assert.equal(session.ended, true);
  });
});
