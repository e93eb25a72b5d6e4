import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { ApiError } from '../../../server/errors.js';
import type { EngineCapabilities } from '../../../server/media/engine/engine-capabilities.js';
import { Sessions } from '../../../server/sessions/sessions.js';
import { MOST_OF_NETWORK, PATIENCE_MS, UnconnectedSessions } from '../../../server/sessions/unconnected-sessions.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { Cleanup } from '../../support/cleanup.js';
import { aGrant } from '../../support/grant.js';
import { locationOf, refusalOf, whep, whip } from '../../support/ingest-client.js';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, refusedUpgrade, streamServer, type TestServer } from '../../support/stream-server.js';

const SCHOOL = '192.0.2.1';
const ELSEWHERE = '198.51.100.1';

describe('sessions whose media has not connected', () => {
  let now: number;
  let engine: FakeEngine;
  let capabilities: Partial<EngineCapabilities>;
  let sessions: Sessions;
  let unconnected: UnconnectedSessions;
  let ended: string[];

  beforeEach(() => {
    [now, capabilities, ended] = [1_000, {}, []];
    engine = new FakeEngine();
    sessions = new Sessions({
      engine,
      capabilitiesOf: () => ({ ...engine.capabilities, ...capabilities }),
      streams: new StreamRegistry(engine),
      admission: { recheck: () => ({ allowed: true }) },
      refusals: { sourceInUse: () => assert.fail('no source is in use') },
      log: pino({ level: 'silent' }),
    });
    unconnected = new UnconnectedSessions({ now: () => now });
    unconnected.follow(sessions, engine);
    sessions.on('ended', ({ id }, { code }) => ended.push(`${id} ${code}`));
  });

  let count = 0;
  /** As each protocol does: refused, or a session that waits for its media. */
  const open = (address: string, id = `s${(count += 1)}`) => {
    unconnected.requireRoom(address);
    return sessions.openViewer(aGrant({ sessionId: id, address }), { send() {}, stop() {} }, { protocol: 'whep' });
  };
  const fill = (address: string) => Array.from({ length: MOST_OF_NETWORK }, () => open(address));
  const refusal = (address: string) => {
    try {
      unconnected.requireRoom(address);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return [error.status, error.code, error.headers['retry-after']];
    }
  };

  it('are limited in each network, which is told when to try again', () => {
    fill(SCHOOL);
    assert.deepEqual(refusal('192.0.2.200'), [429, 'network_busy', '5']);
    now += PATIENCE_MS - 1_500;
    assert.deepEqual(refusal(SCHOOL), [429, 'network_busy', '2']);
    assert.equal(refusal(ELSEWHERE), undefined);
  });

  it('lose their place after some seconds, the oldest first, to others of their network', async () => {
    const [first, second] = fill(SCHOOL);
    await first!.view(sdpOffer());
    open(ELSEWHERE);
    now += PATIENCE_MS;
    open(SCHOOL);
    open(SCHOOL);
    assert.deepEqual(ended, [`${first!.id} transport_lost`, `${second!.id} idle`]);
  });

  it('are not those of thousands who watch from one network', async () => {
    for (let viewer = 0; viewer < 3 * MOST_OF_NETWORK; viewer += 1) {
      const session = open(SCHOOL);
      sessions.emit('reachable', session, true);
    }
    assert.deepEqual([unconnected.size, ended], [0, []]);
  });

  it('are not viewers who wait until an upstream has the stream', async () => {
    capabilities = { answersWaiting: false };
    const session = open(SCHOOL);
    assert.equal(unconnected.size, 1);
    const waiting = session.view(sdpOffer());
    assert.equal(unconnected.size, 0);
    session.end();
    await assert.rejects(waiting);
  });

  it('are publishers until their first packet', async () => {
    const grant = aGrant({ role: 'Publish', address: SCHOOL });
    const session = sessions.openPublisher({ ...grant, tokenId: 7 }, { send() {}, stop() {} }, { protocol: 'whip' });
    await session.publish(sdpOffer({ direction: 'sendonly' }), {});
    const viewer = open(SCHOOL);
    for (const [streamId, sourceId] of [
      ['acme/other', null],
      [session.streamId, 'cam'],
    ] as const) {
      engine.emit('live', streamId, sourceId, ['video']);
    }
    assert.equal(unconnected.size, 2);
    engine.sendFrame(session.streamId);
    assert.equal(unconnected.size, 1);
    viewer.end();
    assert.equal(unconnected.size, 0);
  });

  it('of publishers who can resume lose their place as well', async () => {
    const grant = { ...aGrant({ role: 'Publish', address: SCHOOL }), tokenId: 7 };
    const session = sessions.openPublisher(grant, { send() {}, stop() {} }, { protocol: 'whip' });
    await session.publish(sdpOffer({ direction: 'sendonly' }), { resumable: true });
    for (let viewer = 1; viewer < MOST_OF_NETWORK; viewer += 1) open(SCHOOL);
    now += PATIENCE_MS;
    open(SCHOOL);
    assert.deepEqual([session.suspended, unconnected.size], [true, MOST_OF_NETWORK]);
    session.end();
  });

  it('are not encoders over RTMP, whose media comes over the connection that they have', () => {
    const grant = { ...aGrant({ role: 'Publish', address: SCHOOL }), tokenId: 7 };
    sessions.openPublisher(grant, { send() {}, stop() {} }, { protocol: 'rtmp' });
    assert.equal(unconnected.size, 0);
  });

  it('take the place of the oldest of the fullest network when 500 places are taken', () => {
    const first = open('10.0.0.1');
    for (let taken = 1; taken < 500; taken += 1) open(`10.0.${taken % 10}.1`);
    open(ELSEWHERE);
    assert.deepEqual(ended, [`${first.id} idle`]);
    assert.equal(unconnected.size, 500);
  });
});

describe('a network with too many sessions that have not connected', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  it('is refused further ones over WHEP, WHIP, the director’s call and the websocket, with Retry-After', async (t) => {
    // On a slow machine the first would lose their place before the last one comes.
    const began = process.hrtime.bigint();
    t.mock.method(process.hrtime, 'bigint', () => began);
    app.engine.peersConnect = false;
    const token = await app.token('subscribe');
    const { wsUrl, jwt } = (await askDirector(app, 'subscribe', token)).body.data;
    for (let session = 0; session < MOST_OF_NETWORK; session += 1) locationOf(await whep(app, { token }));
    const refused = await whep(app, { token });
    assert.deepEqual(refusalOf(refused).slice(0, 2), [429, 'network_busy']);
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.deepEqual(refusalOf(await whip(app, { token: await app.token('publish') })).slice(0, 2), [
      429,
      'network_busy',
    ]);
    const body = { streamName: 'main', streamAccountId: 'main', view: { sdp: sdpOffer() } };
    const viewed = await askDirector(app, 'subscribe', token, body);
    assert.deepEqual([viewed.status, viewed.body.data.code], [429, 'network_busy']);
    const upgrade = await refusedUpgrade(`${wsUrl}?token=${jwt}`);
    assert.deepEqual([upgrade.status, upgrade.body.data.code], [429, 'network_busy']);
  });
});
