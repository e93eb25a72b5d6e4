import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../support/cleanup.js';
import { locationOf, refusalOf, whep, whip } from '../support/ingest-client.js';
import { askDirector, streamServer, type TestServer } from '../support/stream-server.js';

const STREAMS = [{ streamName: 'room/live', isRegex: false }];

/** The stream `room/live` of `main` has the id that a stream `live` of an account `main/room` would have. */
describe('a guest who names another account and stream with the same id', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    const { token } = await app.server.tokens.create(
      { accountId: 'main', kind: 'publish' },
      { label: '', streams: STREAMS },
    );
    locationOf(await whip(app, { token }, 'room/live'));
    app.engine.sendFrame('main/room/live');
  });
  afterEach(() => cleanup.run());

  const statusOf = async (path: string, init?: RequestInit) => {
    const response = await fetch(new URL(path, app.origin), init);
    await response.body?.cancel();
    return response.status;
  };

  it('watches the stream by its own name', async () => {
    const { status } = await askDirector(app, 'subscribe', undefined, {
      streamName: 'room/live',
      streamAccountId: 'main',
    });
    assert.equal(status, 200);
    assert.equal((await whep(app, {}, 'main/room/live')).status, 201);
    assert.equal(await statusOf('/api/still/main/room/live'), 200);
  });

  it('is refused by the director', async () => {
    const { status, body } = await askDirector(app, 'subscribe', undefined, {
      streamName: 'live',
      streamAccountId: 'main/room',
    });
    assert.deepEqual([status, body.status, body.data.code], [400, 'fail', 'invalid_request']);
    assert.deepEqual(Object.keys(body.data.errors), ['streamAccountId']);
  });

  it('is refused by WHEP, by the picture of the stream and by its rewind', async () => {
    const [status, code] = refusalOf(await whep(app, {}, 'main%2Froom/live'));
    assert.deepEqual([status, code], [400, 'invalid_request']);
    assert.equal(await statusOf('/api/still/main%2Froom/live'), 400);
    assert.equal(await statusOf('/api/hls/main%2Froom/live'), 400);
    const asked = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    assert.equal(await statusOf('/api/hls/main%2Froom/live', asked), 400);
  });

  it('learns nothing of an account that does not exist', async () => {
    const ask = (streamAccountId: string) =>
      askDirector(app, 'subscribe', undefined, { streamName: 'other', streamAccountId });
    const [ofNone, ofMain] = [await ask('nobody'), await ask('main')];
    assert.deepEqual([ofNone.status, ofNone.body.data.code], [ofMain.status, ofMain.body.data.code]);
    assert.deepEqual([ofMain.status, ofMain.body.data.code], [400, 'stream_not_live']);
  });
});
