import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { StopCode } from '../../../src/wire/websocket/stop-code.js';
import { sdpOffer } from '../../support/media/offer.js';
import { OpenedSessions } from '../../support/opened-sessions.js';

describe('a session', () => {
  let server: OpenedSessions;
  let ends: unknown[][];

  beforeEach(() => {
    server = new OpenedSessions();
    ends = server.emitted('ended');
  });

  it('says whether its media was asked for, and whether it has ended', async () => {
    const { session } = server.viewer();
    assert.deepEqual([session.mediaRequested, session.ended], [false, false]);
    await session.view(sdpOffer());
    assert.deepEqual([session.mediaRequested, session.ended], [true, false]);
    session.end();
    assert.equal(session.ended, true);
  });

  it('has its media once, and none before it was asked for or after the end', async () => {
    const { session } = server.viewer();
    await assert.rejects(session.select({}), { code: 'not_connected' });
    await session.view(sdpOffer());
    await assert.rejects(session.view(sdpOffer()), { code: 'already_connected' });
    session.end();
    await assert.rejects(session.select({}), { code: 'session_ended' });
    await assert.rejects(session.view(sdpOffer()), { code: 'session_ended' });
  });

  it('can ask once more after the media engine refused', async () => {
    const { session } = server.viewer();
    await assert.rejects(session.view('no offer'), { code: 'invalid_sdp' });
    assert.deepEqual([session.ended, session.mediaRequested], [false, false]);
    await session.view(sdpOffer());
  });

  it('closes the media that is connected after its end', async () => {
    const { session } = server.viewer();
    const connected = server.emitted('connected');
    const viewing = session.view(sdpOffer());
    session.end();
    await assert.rejects(viewing, { code: 'session_ended' });
    assert.deepEqual([server.engine.viewerIds('acme/main'), connected], [[], []]);
  });

  it('is found by its media, which is closed with it', async () => {
    const { session } = server.viewer();
    await session.view(sdpOffer());
    const [mediaId] = server.engine.viewerIds('acme/main');
    assert.equal(server.sessions.byMediaId(mediaId!), session);
    session.end();
    assert.deepEqual([server.sessions.byMediaId(mediaId!), server.engine.has(mediaId!)], [undefined, false]);
  });

  it('takes the page and the address from which its client came again', () => {
    const { session } = server.viewer();
    const before = session.grant;
    session.setRequestContext({ origin: null, address: '198.51.100.9' });
    assert.deepEqual(session.grant, { ...before, origin: null, address: '198.51.100.9' });
  });

  it('tells its client why it was stopped, once, with the number of the newest event', async () => {
    const { session, stops } = server.viewer();
    await session.view(sdpOffer());
    session.startEvents();
    session.stop('stopped_by_owner');
    session.stop('idle');
    const { streamId } = session;
    const seq = stops[0]!.seq;
    assert.ok(seq > 0);
    assert.deepEqual(stops, [
      { streamId, code: 'stopped_by_owner', message: 'the owner of the stream stopped it', closeCode: 4004, seq },
    ]);
  });

  const closeCodes: [code: StopCode, closeCode: number][] = [
    ['replaced', 4001],
    ['transport_lost', 4002],
    ['media_engine_restarted', 4003],
    ['stopped_by_owner', 4004],
    ['idle', 4005],
    ['displaced', 4006],
    ['removed_by_owner', 4007],
    ['database_unavailable', 4011],
    ['moved', 4012],
    ['bitrate_too_high', 4013],
    ['server_stopping', 1012],
  ];
  for (const [code, closeCode] of closeCodes) {
    it(`closes the websocket with ${closeCode} when it is stopped with ${code}`, () => {
      const { session, stops } = server.viewer();
      session.stop(code);
      assert.deepEqual([stops[0]?.code, stops[0]?.closeCode], [code, closeCode]);
      assert.deepEqual(ends, [[{ code, reason: stops[0]?.message }]]);
    });
  }

  it('is stopped with the message of the caller, if there is one', () => {
    const { session, stops } = server.viewer();
    session.stop('bitrate_too_high', 'less than that');
    assert.deepEqual([stops[0]?.message, stops[0]?.closeCode], ['less than that', 4013]);
    assert.deepEqual(ends, [[{ code: 'bitrate_too_high', reason: 'less than that' }]]);
  });

  it('tells its client which rule refuses it', () => {
    const { session, stops } = server.viewer();
    session.refuse('token_expired');
    assert.deepEqual([stops[0]?.code, stops[0]?.closeCode], ['token_expired', 4010]);
    assert.deepEqual(ends, [[{ code: 'token_expired', reason: stops[0]?.message }]]);
  });

  it('tells its client nothing when the client itself ends it or is lost', () => {
    const [left, lost, failed] = [server.viewer(), server.viewer(), server.viewer()];
    left.session.end();
    lost.session.connectionLost();
    failed.session.abandon();
    assert.deepEqual(ends.flat(), [
      { code: 'left', reason: 'the client ended the session' },
      { code: 'lost', reason: 'the connection to the client broke' },
      { code: 'not_connected', reason: 'the media could not be connected' },
    ]);
    assert.deepEqual([...left.stops, ...lost.stops, ...failed.stops], []);
  });

  it('of a viewer ends when its media is lost, and that of a publisher who can resume is kept', async () => {
    const [viewer, publisher] = [server.viewer(), server.publisher()];
    await viewer.session.view(sdpOffer());
    await publisher.session.publish(sdpOffer({ direction: 'sendonly' }), { resumable: true });
    for (const { session } of [viewer, publisher]) session.mediaLost('transport_lost');
    assert.deepEqual([viewer.session.ended, publisher.session.ended], [true, false]);
    assert.equal(publisher.session.suspended, true);
    assert.deepEqual(
      [viewer, publisher].map(({ stops }) => stops.map(({ code, closeCode }) => [code, closeCode])),
      [[['transport_lost', 4002]], [['transport_lost', 4002]]],
    );
  });

  it('sends nothing after its end', async () => {
    const { session, events } = server.viewer();
    await session.view(sdpOffer());
    session.startEvents();
    session.end();
    const before = events.length;
    session.send({ seq: 1, name: 'migrate', data: { streamId: session.streamId } });
    assert.equal(events.length, before);
  });
});
