import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { EventReader } from '../../support/event-reader.js';
import { askIngest, locationOf, whep, whip, type IngestAnswer } from '../../support/ingest-client.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { streamServer, type TestServer } from '../../support/stream-server.js';

const SUBSCRIBE = { accountId: 'main', kind: 'subscribe' } as const;
const STREAMS = [{ streamName: 'main', isRegex: false }];

describe('the session of a WHEP client', () => {
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

  describe('its event streams', () => {
    const json = { 'content-type': 'application/json' };
    const open = async (session: string, names?: readonly string[]): Promise<EventReader> => {
      const body = names && JSON.stringify(names);
      const answer = await askIngest(app, `${session}/events`, { ...(body !== undefined && { headers: json, body }) });
      const reader = await EventReader.open(new URL(locationOf(answer), app.origin));
      cleanup.after(() => reader.close());
      return reader;
    };

    it('send what is true of the stream, and then every change', async () => {
      const session = locationOf(await whep(app, { token }));
      const broadcast = await goLive();
      const reader = await open(session);
      assert.equal((await reader.event('active')).streamId, 'main/main');
      assert.equal((await reader.event('viewercount')).viewercount, 1);
      await askIngest(app, broadcast, { method: 'DELETE' });
      const end = { streamId: 'main/main', sourceId: null, declared: true, endedOn: app.clock.now };
      assert.deepEqual(await reader.event('inactive'), end);
    });

    it('send to a client that connects again only what is still true', async () => {
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

    it('send changed tracks and layers, and the newest ones to a client that connects later', async () => {
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

    it('send that the video is paused, also to a client that connects later', async () => {
      const session = locationOf(await whep(app, { token }));
      await goLive();
      const reader = await open(session, ['paused']);
      const [mediaId] = app.engine.viewerIds('main/main');
      app.engine.emit('paused', mediaId!, ['1']);
      assert.deepEqual((await reader.event('paused')).mediaIds, ['1']);
      assert.deepEqual((await (await open(session)).event('paused')).mediaIds, ['1']);
      app.engine.emit('paused', mediaId!, []);
      assert.deepEqual((await reader.event('paused')).mediaIds, []);
    });

    it('send every source, and reconnect when the server stops', async () => {
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

    it('send only the selected events', async () => {
      const session = locationOf(await whep(app, { token }));
      const reader = await open(session, ['inactive', 'no such event']);
      await askIngest(app, await goLive(), { method: 'DELETE' });
      await reader.event('inactive');
      assert.deepEqual(reader.names, ['inactive']);
    });

    it('send the reason when the session is stopped, and end', async () => {
      const session = locationOf(await whep(app, { token }));
      const reader = await open(session, []);
      await app.server.tokens.update(SUBSCRIBE, tokenId, { isActive: false });
      assert.equal((await reader.event('stopped')).code, 'token_disabled');
      await reader.closed;
    });

    it('end with the session, and with DELETE', async () => {
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

    it('send to the newer of two connections', async () => {
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

    it('are refused if there are too many, if the request is invalid, and for a publisher', async () => {
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
      // Without the undefined fields.
      const selected = () => JSON.parse(JSON.stringify(app.engine.layerOf(mediaIds[0]!)));
      return { session, selected };
    };

    it('is the posted one, and selected by the server after DELETE', async () => {
      const { session, selected } = await viewing();
      const body = JSON.stringify({ mediaId: '1', encodingId: '2', spatialLayerId: 255, maxTemporalLayerId: 1 });
      const answer = await askIngest(app, `${session}/layer`, { headers: json, body });
      assert.deepEqual([answer.status, answer.text], [200, '']);
      assert.deepEqual(selected(), { encodingId: '2', maxTemporalLayerId: 1 });
      assert.equal((await askIngest(app, `${session}/layer`, { method: 'DELETE' })).status, 200);
      assert.deepEqual(selected(), {});
    });

    it('can be named by rid, as in the draft', async () => {
      const { session, selected } = await viewing();
      await askIngest(app, `${session}/layer`, { headers: json, body: '{"rid":"1"}' });
      assert.deepEqual(selected(), { encodingId: '1' });
    });

    it('is refused if it is invalid', async () => {
      const { session, selected } = await viewing();
      for (const body of ['{"spatialLayerId":-1}', '{"maxWidth":"wide"}', '{"encodingId":2}', '[]']) {
        const answer = await askIngest(app, `${session}/layer`, { headers: json, body });
        assert.deepEqual(code(answer), [400, 'invalid_request'], body);
      }
      assert.deepEqual(selected(), {});
    });
  });
});
