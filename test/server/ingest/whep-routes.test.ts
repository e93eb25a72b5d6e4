import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import {
  askIngest,
  locationOf,
  refusalOf,
  whep,
  whip,
  type Ask,
  type IngestAnswer,
} from '../../support/ingest-client.js';
import { MediaError } from '../../../server/media/engine/media-error.js';
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

  /** Publishes over WHIP and sends media. */
  const goLive = async (): Promise<string> => {
    const session = locationOf(await whip(app, { token: await app.token('publish') }));
    app.engine.sendFrame('main/main');
    return session;
  };
  const code = ({ status, headers }: IngestAnswer) => [status, headers.get('streamgate-code')];

  it('accepts a viewer without a token while the stream is live', async () => {
    await goLive();
    const answer = await whep(app);
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('content-type'), 'application/sdp');
    assert.match(locationOf(answer), /^\/api\/sessions\/[\w-]{32}$/);
    assert.match(answer.headers.get('etag')!, /^"[\w-]{12}"$/);
    assert.deepEqual(answer.text.match(/^a=(?:recvonly|sendonly|inactive)/gm), ['a=sendonly', 'a=sendonly']);
  });

  it('lets a viewer with a token wait, and sends the media when it flows', async () => {
    const mediaIds = mediaSessionsOf(app);
    locationOf(await whep(app, { token }));
    await goLive();
    assert.equal(app.engine.received(mediaIds[0]!, 'video'), 1);
  });

  it('links the WHEP extensions of the session', async () => {
    const answer = await whep(app, { token });
    const session = locationOf(answer);
    assert.equal(
      answer.headers.get('link'),
      `<${session}/events>; rel="${EXTENSION}:server-sent-events"; events="active,updated,inactive,layers,viewercount,reconnect", ` +
        `<${session}/layer>; rel="${EXTENSION}:layer"`,
    );
  });

  it('shows the source of the query', async () => {
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
    it('a viewer without a token while the stream is not live, with a Retry-After', async () => {
      const answer = await whep(app);
      assert.deepEqual(refusalOf(answer), [409, 'stream_not_live', 'Stream not found: stream not being published']);
      assert.match(answer.headers.get('retry-after')!, /^\d+$/);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    });

    it('a viewer without a token if the stream requires one', async () => {
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

    const invalid: [what: string, ask: Ask, path: string, status: number, code: string][] = [
      ['the offer of a publisher', { body: sdpOffer({ direction: 'sendonly' }) }, 'main/main', 400, 'invalid_sdp'],
      ['a body of another type', { headers: { 'content-type': 'application/json' } }, 'main/main', 415, 'not_sdp'],
      [
        'an Accept header without both content types',
        { headers: { accept: 'image/*' } },
        'main/main',
        406,
        'not_acceptable',
      ],
      ['a source that is given twice', {}, 'main/main?sourceId=a&sourceId=b', 400, 'invalid_request'],
      ['an account with control characters', {}, 'a%00b/main', 400, 'invalid_request'],
    ];
    for (const [what, ask, path, ...expected] of invalid) {
      it(what, async () => assert.deepEqual(code(await whep(app, { token, ...ask }, path)), expected));
    }

    it('a player that offers, where the media engine makes the offer for viewers', async (t) => {
      t.mock.method(app.engine, 'view', () => Promise.reject(new MediaError('answer_required', 'it makes the offer')));
      assert.deepEqual(code(await whep(app, { token })), [406, 'answer_required']);
    });

    it('every viewer while the media engine is down', async () => {
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

    it('accepts candidates with and without If-Match, but not those of another ICE session', async () => {
      const answer = await whep(app, { token });
      const session = locationOf(answer);
      assert.equal((await askIngest(app, session, patch(answer.headers.get('etag')!))).status, 204);
      assert.equal((await askIngest(app, session, patch())).status, 204);
      assert.deepEqual(code(await askIngest(app, session, patch('"x"'))), [412, 'etag_mismatch']);
    });

    it('closes the media with DELETE and is not found any more', async () => {
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

    it('is not found any more when its token is disabled', async () => {
      const session = locationOf(await whep(app, { token }));
      await app.server.tokens.update(SUBSCRIBE, tokenId, { isActive: false });
      assert.deepEqual(code(await askIngest(app, session, { method: 'GET' })), [404, 'session_not_found']);
    });

    it('stays open when the publisher ends', async () => {
      const session = locationOf(await whep(app, { token }));
      await askIngest(app, await goLive(), { method: 'DELETE' });
      assert.equal((await askIngest(app, session, { method: 'GET' })).status, 204);
    });
  });
});
