import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { EventReader } from '../../support/event-reader.js';
import {
  askIngest,
  locationOf,
  refusalOf,
  whep,
  whip,
  type Ask,
  type IngestAnswer,
} from '../../support/ingest-client.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../support/stream-server.js';

const PUBLISH = { accountId: 'main', kind: 'publish' } as const;
const SUBSCRIBE = { accountId: 'main', kind: 'subscribe' } as const;
const STREAMS = [{ streamName: 'main', isRegex: false }];
const EXTENSION = 'urn:ietf:params:whep:ext:core';

describe('POST /api/whep/{accountId}/{streamName}', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let token: string;
  let tokenId: number;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    ({ id: tokenId, token } = await app.server.tokens.create(SUBSCRIBE, { label: '', streams: STREAMS }));
  });
  afterEach(() => cleanup.run());

  /** Goes live, by WHIP. */
  const goLive = async (): Promise<string> => {
    const session = locationOf(await whip(app, { token: await app.token('publish') }));
    app.engine.sendFrame('main/main');
    return session;
  };
  const code = ({ status, headers }: IngestAnswer) => [status, headers.get('streamgate-code')];

  it('takes the offer of somebody without a token while the stream is live', async () => {
    await goLive();
    const answer = await whep(app);
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('content-type'), 'application/sdp');
    assert.match(locationOf(answer), /^\/api\/sessions\/[\w-]{32}$/);
    assert.match(answer.headers.get('etag')!, /^"[\w-]{12}"$/);
    assert.deepEqual(answer.text.match(/^a=(?:recvonly|sendonly|inactive)/gm), ['a=sendonly', 'a=sendonly']);
  });

  it('lets a viewer with a token wait, and sends him the media when it comes', async () => {
    const mediaIds = mediaSessionsOf(app);
    locationOf(await whep(app, { token }));
    await goLive();
    assert.equal(app.engine.received(mediaIds[0]!, 'video'), 1);
  });

  it('names what else the session can do', async () => {
    const answer = await whep(app, { token });
    const session = locationOf(answer);
    assert.equal(
      answer.headers.get('link'),
      `<${session}/events>; rel="${EXTENSION}:server-sent-events"; events="active,updated,inactive,layers,viewercount,reconnect", ` +
        `<${session}/layer>; rel="${EXTENSION}:layer"`,
    );
  });

  it('shows the source that is asked for', async () => {
    const mediaIds = mediaSessionsOf(app);
    locationOf(await whep(app, { token }, 'main/main?sourceId=cam%202'));
    assert.equal(app.engine.optionsOf(mediaIds[0]!)?.pinnedSourceId, 'cam 2');
  });

  it('counts its viewers', async () => {
    const session = locationOf(await whep(app, { token }));
    const other = await openSocket(await askDirector(app, 'subscribe', token));
    await other.command('view', { sdp: sdpOffer() });
    await goLive();
    const counted = (count: number) =>
      other.frame(({ name, data }) => name === 'viewercount' && data.viewercount === count);
    await counted(2);
    await askIngest(app, session, { method: 'DELETE' });
    await counted(1);
    other.socket.terminate();
  });

  describe('refuses', () => {
    it('somebody without a token while nobody is live, and says when to ask again', async () => {
      const answer = await whep(app);
      assert.deepEqual(refusalOf(answer), [409, 'stream_not_live', 'Stream not found: stream not being published']);
      assert.match(answer.headers.get('retry-after')!, /^\d+$/);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    });

    it('somebody without a token where the stream asks for one', async () => {
      const fields = { label: '', streams: STREAMS, subscribeRequiresAuth: true };
      const { token: publisher } = await app.server.tokens.create(PUBLISH, fields);
      locationOf(await whip(app, { token: publisher }));
      app.engine.sendFrame('main/main');
      assert.deepEqual(refusalOf(await whep(app)), [401, 'token_missing', 'Unauthorized: Token required']);
      assert.equal((await whep(app, { token })).status, 201);
    });

    it('a publish token, a token of other streams and one of another account', async () => {
      assert.deepEqual(code(await whep(app, { token: await app.token('publish') })), [401, 'token_wrong_kind']);
      assert.deepEqual(code(await whep(app, { token }, 'main/other')), [401, 'stream_not_permitted']);
      assert.deepEqual(code(await whep(app, { token }, 'other/main')), [401, 'token_unknown']);
    });

    const unreadable: [what: string, ask: Ask, path: string, status: number, code: string][] = [
      ['a broadcaster’s offer', { body: sdpOffer({ direction: 'sendonly' }) }, 'main/main', 400, 'invalid_sdp'],
      ['a body of another type', { headers: { 'content-type': 'application/json' } }, 'main/main', 415, 'not_sdp'],
      ['an Accept of neither', { headers: { accept: 'image/*' } }, 'main/main', 406, 'not_acceptable'],
      ['a source twice', {}, 'main/main?sourceId=a&sourceId=b', 400, 'invalid_request'],
      ['an account with control characters', {}, 'a%00b/main', 400, 'invalid_request'],
    ];
    for (const [what, ask, path, ...expected] of unreadable) {
      it(what, async () => assert.deepEqual(code(await whep(app, { token, ...ask }, path)), expected));
    }

    it('everybody while the media engine is down', async () => {
      app.engine.crash();
      assert.deepEqual(code(await whep(app, { token })), [503, 'engine_unavailable']);
    });
  });

  describe('its session', () => {
    const fragment =
      'a=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\nm=audio 9 RTP/AVP 0\r\na=mid:0\r\na=end-of-candidates\r\n';
    const patch = (ifMatch?: string): Ask => ({
      method: 'PATCH',
      headers: {
        'content-type': 'application/trickle-ice-sdpfrag',
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      body: fragment,
    });

    it('takes candidates, also from clients that send no If-Match, but none of another ICE session', async () => {
      const answer = await whep(app, { token });
      const session = locationOf(answer);
      assert.equal((await askIngest(app, session, patch(answer.headers.get('etag')!))).status, 204);
      assert.equal((await askIngest(app, session, patch())).status, 204);
      assert.deepEqual(code(await askIngest(app, session, patch('"x"'))), [412, 'etag_mismatch']);
    });

    it('lets go of the media by DELETE, and is there no more', async () => {
      const mediaIds = mediaSessionsOf(app);
      const session = locationOf(await whep(app, { token }));
      assert.equal(app.engine.has(mediaIds[0]!), true);
      assert.equal((await askIngest(app, session, { method: 'DELETE' })).status, 200);
      assert.equal(app.engine.has(mediaIds[0]!), false);
      for (const [method, path] of [
        ['PATCH', ''],
        ['POST', '/events'],
        ['GET', '/events/x'],
        ['POST', '/layer'],
      ]) {
        assert.deepEqual(
          code(await askIngest(app, session + path, { method: method! })),
          [404, 'session_not_found'],
          path,
        );
      }
    });

    it('is there no more when its token is disabled', async () => {
      const session = locationOf(await whep(app, { token }));
      await app.server.tokens.update(SUBSCRIBE, tokenId, { isActive: false });
      assert.deepEqual(code(await askIngest(app, session, { method: 'GET' })), [404, 'session_not_found']);
    });

    it('stays when the broadcast ends', async () => {
      const session = locationOf(await whep(app, { token }));
      await askIngest(app, await goLive(), { method: 'DELETE' });
      assert.equal((await askIngest(app, session, { method: 'GET' })).status, 204);
    });
  });

  describe('its events', () => {
    const json = { 'content-type': 'application/json' };
    const open = async (session: string, names?: readonly string[]): Promise<EventReader> => {
      const body = names && JSON.stringify(names);
      const answer = await askIngest(app, `${session}/events`, { ...(body !== undefined && { headers: json, body }) });
      const reader = await EventReader.open(new URL(locationOf(answer), app.origin));
      cleanup.after(() => reader.close());
      return reader;
    };

    it('tell what is true, then what changes', async () => {
      const session = locationOf(await whep(app, { token }));
      const broadcast = await goLive();
      const reader = await open(session);
      assert.equal((await reader.event('active')).streamId, 'main/main');
      assert.equal((await reader.event('viewercount')).viewercount, 1);
      await askIngest(app, broadcast, { method: 'DELETE' });
      assert.deepEqual(await reader.event('inactive'), { streamId: 'main/main', sourceId: null });
    });

    it('tell one who connects again what is true then, and not what was', async () => {
      const session = locationOf(await whep(app, { token }));
      const broadcast = await goLive();
      const { status, headers, text } = await askIngest(app, `${session}/events`, {});
      const url = new URL(locationOf({ status, headers, text }), app.origin);
      const first = await EventReader.open(url);
      await first.event('active');
      first.close();
      await askIngest(app, broadcast, { method: 'DELETE' });
      const second = await EventReader.open(url);
      cleanup.after(() => second.close());
      await second.event('viewercount');
      assert.deepEqual(second.names.includes('active'), false);
      await goLive();
      await second.event('active');
    });

    it('tell of other tracks, of layers, and one who comes then of the newest', async () => {
      const session = locationOf(await whep(app, { token }));
      await goLive();
      const reader = await open(session, ['updated', 'layers']);
      app.engine.changeTracks('main/main', null, ['audio']);
      assert.deepEqual((await reader.event('updated')).tracks, [{ trackId: '1', media: 'audio' }]);
      const layer = { encodingId: '0', simulcastIndex: 0, active: true, bitrate: 5, packets: 1, totalBytes: 9 };
      app.engine.reportLayers('main/main', null, [{ ...layer, width: 320, height: 180 }]);
      assert.equal((await reader.event('layers')).medias['1'].active[0].width, 320);

      const late = await open(session);
      assert.deepEqual((await late.event('active')).tracks, [{ trackId: '1', media: 'audio' }]);
      assert.equal((await late.event('layers')).medias['1'].active[0].bitrate, 5);
    });

    it('tell of every source, and to come in again when the server ends', async () => {
      const session = locationOf(await whep(app, { token }));
      for (const sourceId of ['one', 'two']) {
        locationOf(await whip(app, { token: await app.token('publish') }, `main?sourceId=${sourceId}`));
        app.engine.sendFrame('main/main', sourceId);
      }
      const reader = await open(session);
      assert.deepEqual(
        [(await reader.event('active')).sourceId, (await reader.event('active')).sourceId],
        ['one', 'two'],
      );
      const closed = app.server.close();
      await reader.event('reconnect');
      assert.equal((await reader.event('stopped')).code, 'server_stopping');
      await Promise.all([reader.closed, closed]);
    });

    it('are those that were asked for', async () => {
      const session = locationOf(await whep(app, { token }));
      const reader = await open(session, ['inactive', 'no such event']);
      await askIngest(app, await goLive(), { method: 'DELETE' });
      await reader.event('inactive');
      assert.deepEqual(reader.names, ['inactive']);
    });

    it('say why the session ended, and end', async () => {
      const session = locationOf(await whep(app, { token }));
      const reader = await open(session, []);
      await app.server.tokens.update(SUBSCRIBE, tokenId, { isActive: false });
      assert.equal((await reader.event('stopped')).code, 'token_disabled');
      await reader.closed;
    });

    it('end with the session, and by DELETE', async () => {
      const session = locationOf(await whep(app, { token }));
      const answer = await askIngest(app, `${session}/events`, {});
      const url = new URL(locationOf(answer), app.origin);
      const reader = await EventReader.open(url);
      assert.equal((await askIngest(app, url.pathname, { method: 'DELETE' })).status, 200);
      await reader.closed;
      assert.deepEqual(code(await askIngest(app, url.pathname, { method: 'GET' })), [404, 'session_not_found']);

      const other = await open(session);
      await askIngest(app, session, { method: 'DELETE' });
      await other.closed;
      assert.equal(other.names.includes('stopped'), false);
    });

    it('take the newer of two connections', async () => {
      const session = locationOf(await whep(app, { token }));
      const answer = await askIngest(app, `${session}/events`, {});
      const url = new URL(locationOf(answer), app.origin);
      const [one, other] = [await EventReader.open(url), await EventReader.open(url)];
      cleanup.after(() => other.close());
      await one.closed;
      assert.equal((await askIngest(app, url.pathname, { method: 'HEAD' })).status, 200);
      await goLive();
      await other.event('active');
    });

    it('are refused when they are too many, unreadable, or of a broadcaster', async () => {
      const session = locationOf(await whep(app, { token }));
      for (const body of ['"active"', '[1]', '{"events":[]}', '[', JSON.stringify(Array(33).fill('x'))]) {
        const answer = await askIngest(app, `${session}/events`, { headers: json, body });
        assert.equal(answer.status, 400, body);
      }
      for (let opened = 0; opened < 8; opened += 1) locationOf(await askIngest(app, `${session}/events`, {}));
      assert.deepEqual(code(await askIngest(app, `${session}/events`, {})), [429, 'too_many_event_streams']);
      assert.deepEqual(code(await askIngest(app, `${await goLive()}/events`, {})), [404, 'session_not_found']);
    });
  });

  describe('its layer', () => {
    const json = { 'content-type': 'application/json' };
    const viewing = async () => {
      const mediaIds = mediaSessionsOf(app);
      const session = locationOf(await whep(app, { token }));
      // What is undefined is not chosen.
      const chosen = () => JSON.parse(JSON.stringify(app.engine.layerOf(mediaIds[0]!)));
      return { session, chosen };
    };

    it('is the one that is posted, and the server’s choice after DELETE', async () => {
      const { session, chosen } = await viewing();
      const body = JSON.stringify({ mediaId: '1', encodingId: '2', spatialLayerId: 255, maxTemporalLayerId: 1 });
      const answer = await askIngest(app, `${session}/layer`, { headers: json, body });
      assert.deepEqual([answer.status, answer.text], [200, '']);
      assert.deepEqual(chosen(), { encodingId: '2', maxTemporalLayerId: 1 });
      assert.equal((await askIngest(app, `${session}/layer`, { method: 'DELETE' })).status, 200);
      assert.deepEqual(chosen(), {});
    });

    it('may be named by rid, as the draft has it', async () => {
      const { session, chosen } = await viewing();
      await askIngest(app, `${session}/layer`, { headers: json, body: '{"rid":"1"}' });
      assert.deepEqual(chosen(), { encodingId: '1' });
    });

    it('is refused when it cannot be read', async () => {
      const { session, chosen } = await viewing();
      for (const body of ['{"spatialLayerId":-1}', '{"maxWidth":"wide"}', '{"encodingId":2}', '[]']) {
        const answer = await askIngest(app, `${session}/layer`, { headers: json, body });
        assert.deepEqual(code(answer), [400, 'invalid_request'], body);
      }
      assert.deepEqual(chosen(), {});
    });
  });
});
