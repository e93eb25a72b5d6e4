import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { followFaults } from '../../../server/faults/fault.js';
import type { Verdict } from '../../../server/rules/rule.js';
import { Sessions } from '../../../server/sessions/sessions.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aGrant } from '../../support/grant.js';
import { sdpOffer } from '../../support/media/offer.js';

describe('Sessions', () => {
  let verdict: Verdict;
  let sessions: Sessions;
  let emitted: string[];
  let stopped: string[];

  beforeEach(() => {
    verdict = { allowed: true };
    const engine = new FakeEngine();
    sessions = new Sessions({
      engine,
      streams: new StreamRegistry(engine),
      admission: { recheck: () => verdict },
      refusals: { sourceInUse: () => assert.fail('nobody publishes') },
      log: pino({ level: 'silent' }),
    });
    [emitted, stopped] = [[], []];
    sessions.on('opened', ({ id }) => emitted.push(`opened ${id}`));
    sessions.on('ended', ({ id }) => emitted.push(`ended ${id}`));
  });

  const open = () =>
    sessions.open(aGrant({ sessionId: 'one' }), { send: () => {}, stop: ({ code }) => void stopped.push(code) });

  it('emits that a session was opened, and once that it ended', () => {
    const session = open();
    session.stop('stopped_by_owner');
    session.end();
    assert.deepEqual([emitted, stopped], [['opened one', 'ended one'], ['stopped_by_owner']]);
  });

  it('keeps the codec of what a publisher sends when it asks to publish once more and is refused', async () => {
    const publisher = sessions.openPublisher(
      { ...aGrant({ sessionId: 'one', role: 'Publish' }), tokenId: 1 },
      { send: () => {}, stop: ({ code }) => void stopped.push(code) },
    );
    await publisher.publish(sdpOffer({ direction: 'sendonly' }), { codec: 'h264' });
    await assert.rejects(publisher.publish(sdpOffer({ direction: 'sendonly' }), { codec: 'vp8' }), {
      code: 'already_connected',
    });
    assert.equal(publisher.codec, 'h264');
  });

  it('refuses a session whose token changed since the grant was made, and never opens it', () => {
    verdict = { allowed: false, reason: 'token_disabled' };
    assert.equal(open().ended, true);
    assert.deepEqual([emitted, stopped], [[], ['token_disabled']]);
  });

  it('ends a session that a part could not take up, so that nothing forgets to decide again', () => {
    const faults: string[] = [];
    const unfollow = followFaults(({ error }) => faults.push(String(error)));
    sessions.on('opened', () => {
      throw new Error('it cannot be counted');
    });
    const session = open();
    unfollow();
    assert.equal(session.ended, true);
    assert.deepEqual([emitted, stopped], [['opened one', 'ended one'], ['transport_lost']]);
    assert.deepEqual(faults, ['Error: it cannot be counted']);
  });
});
