import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { PublisherSession } from '../../../server/sessions/publisher-session.js';
import type { Session, SessionContext } from '../../../server/sessions/session.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aGrant } from '../../support/grant.js';
import { sdpOffer } from '../../support/media/offer.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const STREAM = streamIdOf('acme', 'main');
const SESSIONS = 3;

const index = fc.nat({ max: SESSIONS - 1 });
const anyStep = fc.oneof(
  fc.record({
    type: fc.constant('publish' as const),
    index,
    sourceId: fc.constantFrom(null, 'cam1', 'cam2'),
    resumable: fc.boolean(),
  }),
  fc.record({ type: fc.constantFrom('lose' as const, 'end' as const, 'resume' as const, 'expire' as const), index }),
  fc.record({ type: fc.constantFrom('break-down' as const, 'recover' as const, 'wait' as const) }),
);

/** Sessions that publish on one stream, over an engine that can break down. */
function createSessions() {
  const engine = new FakeEngine();
  const streams = new StreamRegistry(engine, { resumeWithinMs: 1_000_000 });
  const open = new Map<string, Session>();
  const byMediaId = new Map<string, Session>();
  const context: SessionContext = {
    engine,
    capabilitiesOf: () => engine.capabilities,
    streams,
    reportSeconds: undefined,
    observer: {
      waiting: () => undefined,
      mediaConnected: (session, mediaId) => void byMediaId.set(mediaId, session),
      mediaClosed: (mediaId) => void byMediaId.delete(mediaId),
      resumed: (id) => open.get(id)?.stop('replaced'),
      bitrateAbove() {},
      overloaded() {},
      sourceInUse() {},
      reported() {},
      ended: ({ id }) => void open.delete(id),
    },
  };
  engine.on('session-lost', (id, code) => byMediaId.get(id)?.mediaLost(code));
  let count = 0;
  const admit = (resumes: string | null) => {
    const sessionId = `session ${(count += 1)}`;
    const grant = { ...aGrant({ role: 'Publish', sessionId, resumes }), tokenId: 7 };
    const session = new PublisherSession(grant, { send() {}, stop() {} }, context);
    open.set(sessionId, session);
    return session;
  };
  const sourcesOf = (session: Session) => streams.sessionsOf(STREAM).filter((id) => id === session.id).length;
  return { engine, streams, open, byMediaId, admit, sourcesOf };
}

describe('publisher sessions, after any sequence of steps', () => {
  it('have at most one source each, and no source after they ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        const { engine, streams, open, byMediaId, admit, sourcesOf } = createSessions();
        const all: PublisherSession[] = [];
        const current = Array.from({ length: SESSIONS }, () => admit(null));
        all.push(...current);
        const pending: Promise<unknown>[] = [];
        for (const step of steps) {
          if (step.type === 'publish') {
            const { sourceId, resumable } = step;
            const offer = sdpOffer({ direction: 'sendonly' });
            pending.push(current[step.index]!.publish(offer, { sourceId, resumable }).catch(() => {}));
          } else if (step.type === 'lose') current[step.index]!.connectionLost();
          else if (step.type === 'end') current[step.index]!.end();
          else if (step.type === 'expire' && current[step.index]!.suspended) current[step.index]!.leaseExpired();
          else if (step.type === 'resume') {
            current[step.index] = admit(current[step.index]!.id);
            all.push(current[step.index]!);
          } else if (step.type === 'break-down') engine.crash();
          else if (step.type === 'recover') engine.recover();
          else await nextTurn();
          for (const session of all) assert.ok(sourcesOf(session) <= 1, `${session.id} has several sources`);
        }
        await Promise.all(pending);
        for (const session of all) session.end();
        assert.deepEqual(streams.stateOf(STREAM).publishers, []);
        assert.deepEqual([open.size, byMediaId.size], [0, 0]);
      }),
    );
  });

  it('do not claim a second source after a resumed publish failed', async () => {
    const { engine, streams, admit } = createSessions();
    const offer = sdpOffer({ direction: 'sendonly' });
    const first = admit(null);
    await first.publish(offer, { resumable: true });
    const resumed = admit(first.id);
    engine.crash();
    await assert.rejects(resumed.publish(offer, { resumable: true }), { code: 'engine_unavailable' });
    engine.recover();
    await assert.rejects(resumed.publish(offer, { resumable: true, sourceId: 'cam1' }), { code: 'already_connected' });
    await resumed.publish(offer, { resumable: true });
    resumed.end();
    assert.deepEqual(streams.stateOf(STREAM).publishers, []);
  });
});
