import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { AddedTracks } from '../../../server/media/engine/media-track.js';
import type { PublisherSession } from '../../../server/sessions/publisher-session.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';
import type { LeaseOutcome } from '../../../server/streams/stream-leases.js';
import { sdpOffer } from '../../support/media/offer.js';
import { OpenedSessions } from '../../support/opened-sessions.js';

const OFFER = sdpOffer({ direction: 'sendonly' });
const TRACKS: AddedTracks = { audio: { codec: 'opus' }, video: { codec: 'h264' } };
const STREAM = streamIdOf('acme', 'main');
const RESUMABLE = { resumable: true };

describe('the session of a publisher', () => {
  let server: OpenedSessions;
  let ends: unknown[][];

  beforeEach(() => {
    server = new OpenedSessions();
    ends = server.emitted('ended');
  });

  const publishersNow = () => server.streams.stateOf(STREAM).publishers.length;
  const codes = () => ends.map(([reason]) => (reason as { code: string }).code);

  it('has the source that it publishes, until its end', async () => {
    const { session } = server.publisher();
    assert.equal(session.sourceId, undefined);
    await session.publish(OFFER, { sourceId: 'cam' });
    assert.deepEqual([session.sourceId, publishersNow()], ['cam', 1]);
    session.end();
    assert.deepEqual([session.sourceId, publishersNow()], [undefined, 0]);
  });

  it('keeps the key and the source of the session that it resumes, also after the engine refused', async () => {
    const { session: first } = server.publisher();
    await first.publish(OFFER, RESUMABLE);
    const { session: second } = server.publisher({ resumes: first.id });
    assert.notEqual(second.sessionKey, first.sessionKey);
    server.engine.crash();
    await assert.rejects(second.publish(OFFER, RESUMABLE), { code: 'engine_unavailable' });
    assert.deepEqual([second.suspended, publishersNow()], [true, 1]);
    const { resumes } = server.streams.sourceAvailability(STREAM, { sessionKey: first.sessionKey });
    assert.equal(resumes, second.id);
    server.engine.recover();
    await assert.rejects(second.publish(OFFER, { ...RESUMABLE, sourceId: 'cam' }), { code: 'already_connected' });
    await second.publish(OFFER, RESUMABLE);
    assert.deepEqual([second.sessionKey, publishersNow()], [first.sessionKey, 1]);
  });

  it('has its own key again after the engine refused it, if it cannot resume', async () => {
    const { session: first } = server.publisher();
    await first.publish(OFFER, RESUMABLE);
    const { session: second } = server.publisher({ resumes: first.id });
    const key = second.sessionKey;
    server.engine.crash();
    await assert.rejects(second.publish(OFFER), { code: 'engine_unavailable' });
    assert.deepEqual([second.sessionKey, publishersNow()], [key, 0]);
  });

  it('has a key of its own if what it resumes is gone', async () => {
    const { session: first } = server.publisher();
    await first.publish(OFFER, RESUMABLE);
    first.end();
    const { session: second } = server.publisher({ resumes: first.id });
    const key = second.sessionKey;
    await second.publish(OFFER, RESUMABLE);
    assert.equal(second.sessionKey, key);
  });

  it('is suspended when its client is lost and can resume, and ends when nobody does in time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { session } = server.publisher();
    await session.publish(OFFER, RESUMABLE);
    assert.equal(session.suspended, false);
    session.connectionLost();
    t.mock.timers.tick(9_999);
    assert.deepEqual([session.suspended, publishersNow()], [true, 1]);
    t.mock.timers.tick(1);
    assert.deepEqual([session.ended, publishersNow(), codes()], [true, 0, ['not_resumed']]);
  });

  it('ends when its client is lost and cannot resume', async () => {
    const { session } = server.publisher();
    await session.publish(OFFER);
    session.connectionLost();
    assert.deepEqual([session.ended, publishersNow(), codes()], [true, 0, ['lost']]);
  });

  const endings: [what: string, end: (session: PublisherSession) => void, isMeant: boolean][] = [
    ['its client ends it', (session) => session.end(), true],
    ['the owner stops it', (session) => session.stop('stopped_by_owner'), true],
    ['its client is lost', (session) => session.connectionLost(), false],
    ['a rule refuses it', (session) => session.refuse('token_expired'), false],
  ];
  for (const [what, end, isMeant] of endings) {
    it(`tells viewers that the end ${isMeant ? 'was' : 'was not'} meant when ${what}`, async () => {
      const { session } = server.publisher();
      await session.publish(OFFER);
      server.engine.sendFrame(STREAM);
      const viewer = server.viewer();
      viewer.session.startEvents();
      end(session);
      const inactive = viewer.events.find(({ name }) => name === 'inactive');
      const { endedOn, ...data } = inactive!.data as { readonly endedOn?: number };
      assert.deepEqual(data, { streamId: STREAM, sourceId: null, ...(isMeant && { declared: true }) });
      assert.equal(endedOn !== undefined, isMeant);
    });
  }

  it('ends with what its encoder sends that cannot be published', () => {
    server.publisher().session.endUnpublishable('b_frames');
    assert.deepEqual(codes(), ['b_frames']);
  });

  describe('is refused its source', () => {
    it('while another publisher has it, which is reported', async () => {
      await server.publisher().session.publish(OFFER);
      await server.publisher().session.publish(OFFER, { sourceId: 'cam' });
      const { session } = server.publisher();
      await assert.rejects(session.publish(OFFER), {
        code: 'stream_in_use',
        message: 'another publisher is live under this stream name',
      });
      await assert.rejects(session.publish(OFFER, { sourceId: 'cam' }), {
        code: 'stream_in_use',
        message: 'another publisher is live under this stream name with the same source id',
      });
      assert.deepEqual(server.inUse, [session.grant, session.grant]);
      await session.publish(OFFER, { sourceId: 'other' });
    });

    const outcomes: [outcome: LeaseOutcome, code: string, reported: number][] = [
      ['taken', 'stream_in_use', 1],
      ['elsewhere', 'wrong_node', 0],
      ['unavailable', 'database_unavailable', 0],
    ];
    for (const [outcome, code, reported] of outcomes) {
      it(`with ${code} if the other servers say ${outcome}, and can try again`, async () => {
        server.lease = outcome;
        const { session } = server.publisher();
        await assert.rejects(session.publish(OFFER, { codec: 'vp8' }), { code });
        assert.deepEqual([server.inUse.length, publishersNow(), session.codec], [reported, 0, undefined]);
        server.lease = 'held';
        await session.publish(OFFER, { codec: 'vp8' });
        assert.deepEqual([publishersNow(), session.codec], [1, 'vp8']);
      });
    }

    it('if it ended before the other servers answered, and asks the engine for nothing', async () => {
      const { promise, resolve } = Promise.withResolvers<LeaseOutcome>();
      server.lease = promise;
      server.engine.publish = () => assert.fail('the session has ended');
      const { session } = server.publisher();
      const publishing = session.publish(OFFER);
      session.end();
      resolve('taken');
      await assert.rejects(publishing, { code: 'session_ended' });
      assert.deepEqual(server.inUse, []);
    });
  });

  it('moves its media to another path, unless it is no peer', async () => {
    const { session } = server.publisher();
    await session.publish(OFFER);
    assert.match(await session.renew(OFFER), /^v=0/);
    const { session: encoder } = server.publisher({ streamName: 'other' });
    await encoder.addSource(TRACKS);
    await assert.rejects(encoder.renew(OFFER), { code: 'not_connected' });
  });

  it('adds the source of an encoder that is no peer, main or named', async () => {
    const { session } = server.publisher();
    await session.addSource(TRACKS, { sourceId: 'cam' });
    const { session: main } = server.publisher();
    await main.addSource(TRACKS);
    assert.deepEqual([session.sourceId, main.sourceId], ['cam', null]);
    main.connectionLost();
    assert.equal(main.ended, true, 'it cannot resume');
  });

  it('has the notices that hold now, for the owner', () => {
    const { session } = server.publisher();
    session.setNotice('bitrate_above_limit', true);
    session.setNotice('bitrate_above_limit', true);
    assert.deepEqual(session.notices, ['bitrate_above_limit']);
    session.setNotice('bitrate_above_limit', false);
    assert.deepEqual(session.notices, []);
  });

  it('is told what is true of its stream, and whether its source is recorded', async () => {
    const { session, events } = server.publisher();
    session.sendRecording(true, null);
    assert.equal(events.length, 0);
    await session.publish(OFFER);
    session.startEvents();
    assert.deepEqual(
      events.map(({ name }) => name),
      ['viewercount'],
    );
    session.sendRecording(true, 'disk_full');
    assert.deepEqual(events.at(-1)?.data, {
      streamId: STREAM,
      sourceId: null,
      state: 'on',
      fault: 'disk_full',
    });
  });

  it('is told once that the server is overloaded, and once that it no longer is, as the records are', async () => {
    const told = server.emitted('overloaded');
    const { session, events } = server.publisher();
    session.loadMeasured(true);
    await session.publish(OFFER);
    for (const isOverloaded of [false, true, true, false]) session.loadMeasured(isOverloaded);
    const loads = events.filter(({ name }) => name === 'load').map(({ data }) => data);
    assert.deepEqual(loads, [
      { streamId: STREAM, sourceId: null, overloaded: true },
      { streamId: STREAM, sourceId: null, overloaded: false },
    ]);
    assert.deepEqual(told, [[true], [false]]);
  });

  it('is not told the layers, which are measured for viewers', () => {
    const { session, events } = server.publisher();
    session.send({ seq: 1, name: 'layers-measured', layers: new Map() });
    assert.deepEqual(events, []);
  });

  describe('with a limit of bitrate', () => {
    const LIMIT = { max: 4_000_000, patience: 2 };
    const toldNow = () => [...server.engine.toldBitrates.values()];
    const measure = (session: { bitrateMeasured(bitrate: number): void }, ...bitrates: number[]) => {
      for (const bitrate of bitrates) session.bitrateMeasured(bitrate);
    };

    it('is not told a limit that it has, and begins anew with another one', async () => {
      const { session } = server.publisher();
      await session.publish(OFFER);
      await session.limitBitrate(LIMIT);
      measure(session, 9e6, 9e6, 9e6);
      assert.deepEqual([session.notices, toldNow()], [['bitrate_above_limit'], [3_736_000]]);
      server.engine.toldBitrates.clear();
      await session.limitBitrate({ ...LIMIT, patience: 9 });
      assert.deepEqual([session.notices, toldNow()], [['bitrate_above_limit'], []]);
      await session.limitBitrate({ ...LIMIT, max: 2_000_000 });
      assert.deepEqual([session.notices, toldNow()], [[], [1_836_000]]);
    });

    it('is reported once, warned, and stopped when it goes on', async () => {
      const above = server.emitted('bitrate-above');
      const { session, stops } = server.publisher();
      await session.publish(OFFER);
      await session.limitBitrate(LIMIT);
      measure(session, 8e6, 8e6, 8e6 + 0.4);
      assert.deepEqual([above, session.ended], [[[8e6, 4e6]], false]);
      measure(session, 8e6, 8e6);
      assert.deepEqual([above.length, stops.map(({ code }) => code)], [1, ['bitrate_too_high']]);
      assert.match(stops[0]!.message, /8000 kbit\/s.*4000/);
    });

    it('is told it before it has its answer, and that there is none any more', async () => {
      const { session } = server.publisher();
      await session.limitBitrate(LIMIT);
      await session.publish(OFFER);
      assert.deepEqual(toldNow(), [3_736_000]);
      await session.limitBitrate(undefined);
      assert.deepEqual(toldNow(), [undefined]);
    });

    it('and no peer is told nothing', async () => {
      const { session } = server.publisher();
      await session.addSource(TRACKS);
      await session.limitBitrate(LIMIT);
      assert.deepEqual(toldNow(), []);
    });

    it('is measured only while it has one', async () => {
      const { session } = server.publisher();
      await session.publish(OFFER);
      measure(session, 9e9, 9e9, 9e9, 9e9, 9e9);
      assert.deepEqual([session.notices, session.ended], [[], false]);
    });
  });
});
