import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { FakeEngine } from '../../../server/media/fake-engine.js';
import { PublisherSession } from '../../../server/sessions/publisher-session.js';
import type { Session, SessionContext } from '../../../server/sessions/session.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aGrant } from '../../support/grant.js';
import { sdpOffer } from '../../support/media/offer.js';

const STREAM = 'acme/main';
const SESSIONS = 3;

const who = fc.nat({ max: SESSIONS - 1 });
const step = fc.oneof(
  fc.record({
    type: fc.constant('publish' as const),
    who,
    sourceId: fc.constantFrom(null, 'cam1', 'cam2'),
    resumable: fc.boolean(),
  }),
  fc.record({ type: fc.constantFrom('lose' as const, 'end' as const, 'return' as const, 'lapse' as const), who }),
  fc.record({ type: fc.constantFrom('break-down' as const, 'recover' as const, 'wait' as const) }),
);

/** Sessions that publish on one stream, over an engine that can break down. */
function aStage() {
  const engine = new FakeEngine();
  const streams = new StreamRegistry(engine, { resumeWithinMs: 1_000_000 });
  const open = new Map<string, Session>();
  const context: SessionContext = {
    engine,
    streams,
    owners: new Map(),
    find: (id) => open.get(id),
    onTaken: () => {},
    onEnd: ({ id }) => void open.delete(id),
  };
  engine.on('session-lost', (id, cause) => context.owners.get(id)?.mediaLost(cause));
  let count = 0;
  const admit = (resumes: string | null) => {
    const sessionId = `session ${(count += 1)}`;
    const grant = { ...aGrant({ role: 'Publish', sessionId, resumes }), tokenId: 7 };
    const session = new PublisherSession(grant, { send() {}, stop() {} }, context);
    open.set(sessionId, session);
    return session;
  };
  const sourcesOf = (session: Session) =>
    streams.stateOf(STREAM).publishers.filter(({ id }) => id === session.id).length;
  return { engine, streams, open, admit, sourcesOf, context };
}

describe('publisher sessions, whatever happens to them', () => {
  it('own at most one source each, and none is left when they have ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { engine, streams, open, admit, sourcesOf, context } = aStage();
        const all: PublisherSession[] = [];
        const current = Array.from({ length: SESSIONS }, () => admit(null));
        all.push(...current);
        const pending: Promise<unknown>[] = [];
        for (const taken of steps) {
          if (taken.type === 'publish') {
            const { sourceId, resumable } = taken;
            const offer = sdpOffer({ direction: 'sendonly' });
            pending.push(current[taken.who]!.publish(offer, { sourceId, resumable }).catch(() => {}));
          } else if (taken.type === 'lose') current[taken.who]!.connectionLost();
          else if (taken.type === 'end') current[taken.who]!.end();
          else if (taken.type === 'lapse' && current[taken.who]!.suspended) current[taken.who]!.leaseExpired();
          else if (taken.type === 'return') {
            current[taken.who] = admit(current[taken.who]!.id);
            all.push(current[taken.who]!);
          } else if (taken.type === 'break-down') engine.crash();
          else if (taken.type === 'recover') engine.recover();
          else await nextTurn();
          for (const session of all) assert.ok(sourcesOf(session) <= 1, `${session.id} has several sources`);
        }
        await Promise.all(pending);
        for (const session of all) session.end();
        assert.deepEqual(streams.stateOf(STREAM).publishers, []);
        assert.deepEqual([open.size, context.owners.size], [0, 0]);
      }),
    );
  });

  it('do not take a second source when a resumed publish failed', async () => {
    const { engine, streams, admit } = aStage();
    const offer = sdpOffer({ direction: 'sendonly' });
    const first = admit(null);
    await first.publish(offer, { resumable: true });
    const back = admit(first.id);
    engine.crash();
    await assert.rejects(back.publish(offer, { resumable: true }), { code: 'engine_unavailable' });
    engine.recover();
    await assert.rejects(back.publish(offer, { resumable: true, sourceId: 'cam1' }), { code: 'already_connected' });
    await back.publish(offer, { resumable: true });
    back.end();
    assert.deepEqual(streams.stateOf(STREAM).publishers, []);
  });
});
