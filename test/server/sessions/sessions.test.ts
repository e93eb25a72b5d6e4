import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { followFaults } from '../../../server/faults/fault.js';
import type { Verdict } from '../../../server/rules/rule.js';
import { Sessions } from '../../../server/sessions/sessions.js';
import type { StopNotice } from '../../../server/sessions/stop-notice.js';
import type { ViewerSession } from '../../../server/sessions/viewer-session.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aGrant } from '../../support/grant.js';
import { sdpOffer } from '../../support/media/offer.js';
import { OpenedSessions } from '../../support/opened-sessions.js';

const admission = { recheck: () => ({ allowed: true }) as const };

describe('Sessions', () => {
  let verdict: Verdict;
  let engine: FakeEngine;
  let sessions: Sessions;
  let emitted: string[];
  let stopped: string[];

  beforeEach(() => {
    verdict = { allowed: true };
    engine = new FakeEngine();
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

  it('leaves no media to a viewer whose session ends because its media connects', async () => {
    sessions.on('connected', (session) => session.stop('displaced'));
    const viewer = open() as ViewerSession;
    await assert.rejects(viewer.view(sdpOffer()), { code: 'session_ended' });
    assert.deepEqual([engine.viewerIds(viewer.streamId), stopped], [[], ['displaced']]);
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

  it('opens the session of a publisher or of a viewer, by the grant, and logs who opened and ended it', () => {
    const lines: object[] = [];
    const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
    const { engine, streams } = new OpenedSessions();
    const logged = new Sessions({ engine, streams, admission, refusals: { sourceInUse() {} }, log });
    const client = { send() {}, stop() {} };
    const opening = { protocol: 'whip', requestId: 'r1' } as const;
    const publisher = logged.open(aGrant({ sessionId: 'p', role: 'Publish' }), client, opening);
    const viewer = logged.open(aGrant({ sessionId: 'v' }), client);
    assert.deepEqual([publisher.role, viewer.role], ['Publish', 'Subscribe']);
    assert.deepEqual([logged.find('v'), logged.find('unknown')], [viewer, undefined]);
    viewer.end();
    const stream = 'acme/main';
    assert.deepEqual(lines, [
      { level: 30, session: 'p', role: 'Publish', stream, tokenId: 7, request: 'r1', msg: 'session opened' },
      { level: 30, session: 'v', role: 'Subscribe', stream, tokenId: 7, msg: 'session opened' },
      {
        level: 30,
        session: 'v',
        role: 'Subscribe',
        stream,
        tokenId: 7,
        code: 'left',
        reason: 'the client ended the session',
        msg: 'session ended',
      },
    ]);
  });

  it('tells a client which rule refuses it, and opens nothing', () => {
    const notices: StopNotice[] = [];
    sessions.refuse(aGrant(), { send() {}, stop: (notice) => void notices.push(notice) }, 'token_full');
    const [{ streamId, code, closeCode, message, seq } = assert.fail()] = notices;
    assert.deepEqual([streamId, code, closeCode, sessions.count], ['acme/main', 'token_full', 4010, 0]);
    assert.ok(message.length > 0 && seq > 0);
  });

  it('ends a session for the owner, with the code of its role', () => {
    const server = new OpenedSessions();
    const [viewer, publisher] = [server.viewer(), server.publisher()];
    const removed = [viewer.session.id, publisher.session.id, 'unknown'].map((id) => server.sessions.remove(id));
    assert.deepEqual(removed, [true, true, false]);
    assert.deepEqual(
      [viewer, publisher].map(({ stops }) => stops.map(({ code }) => code)),
      [['removed_by_owner'], ['stopped_by_owner']],
    );
  });

  it('ends the media of the streams that another engine carries, for those who asked for it', async () => {
    const server = new OpenedSessions();
    const [moved, other, early] = [server.viewer(), server.viewer({ streamName: 'other' }), server.viewer()];
    for (const { session } of [moved, other]) await session.view(sdpOffer());
    server.sessions.loseMediaOf((streamId) => streamId === moved.session.streamId);
    assert.deepEqual(
      [moved, other, early].map(({ stops }) => stops.map(({ code }) => code)),
      [['media_engine_restarted'], [], []],
    );
  });

  it('tells that the media of a session is connected, and ends the session when the engine lost it', async () => {
    const server = new OpenedSessions();
    const connected = server.emitted('connected');
    const { session, stops } = server.viewer();
    await session.view(sdpOffer());
    assert.equal(connected.length, 1);
    server.engine.loseSession(server.engine.viewerIds('acme/main')[0]!);
    assert.deepEqual([session.ended, stops[0]?.code], [true, 'transport_lost']);
  });

  it('answers a viewer at once if the engine does, or the stream is live', async () => {
    const server = new OpenedSessions();
    const grant = aGrant();
    assert.equal(server.sessions.answersAtOnce(grant), true);
    server.capabilities = { answersWaiting: false };
    assert.equal(server.sessions.answersAtOnce(grant), false);
    await server.publisher().session.publish(sdpOffer({ direction: 'sendonly' }));
    server.engine.sendFrame('acme/main');
    assert.equal(server.sessions.answersAtOnce(grant), true);
  });

  it('knows nothing of media that has no session', () => {
    const server = new OpenedSessions();
    const faults: unknown[] = [];
    const unfollow = followFaults(({ error }) => faults.push(error));
    server.engine.emit('session-lost', 'unknown', 'transport_lost');
    server.engine.emit('paused', 'unknown', []);
    unfollow();
    assert.deepEqual([server.sessions.byMediaId('unknown'), faults], [undefined, []]);
  });

  it('sends a viewer away once, and nobody who has ended', () => {
    const server = new OpenedSessions();
    const leaving = server.emitted('leaving');
    const [viewer, gone] = [server.viewer(), server.viewer()];
    viewer.session.startEvents();
    const migrate = server.streams.migrateEvent(viewer.session.streamId);
    server.sessions.sendAway(viewer.session, migrate);
    server.sessions.sendAway(viewer.session, undefined);
    gone.session.end();
    server.sessions.sendAway(gone.session, undefined);
    assert.deepEqual([leaving.length, viewer.events.at(-1)], [1, migrate]);
  });

  it('keeps a viewer who was sent away, and no other one', () => {
    const server = new OpenedSessions();
    const staying = server.emitted('staying');
    const { session } = server.viewer();
    server.sessions.keep(session);
    server.sessions.sendAway(session, undefined);
    server.sessions.keep(session);
    server.sessions.keep(session);
    assert.equal(staying.length, 1);
  });

  it('sends all clients of a stream the same event before they are stopped, when the server stops', () => {
    const server = new OpenedSessions();
    const viewers = [server.viewer(), server.viewer()];
    const alone = server.viewer({ streamName: 'other' });
    for (const { session } of viewers) session.startEvents();
    server.sessions.close();
    const [first, second] = viewers.map(({ events }) => events.at(-1));
    assert.equal(first?.name, 'migrate');
    assert.equal(first, second);
    assert.deepEqual(alone.events, [], 'nobody is in the stream');
    for (const { session, stops } of [...viewers, alone]) {
      assert.deepEqual([session.ended, stops[0]?.code], [true, 'server_stopping']);
    }
  });
});
