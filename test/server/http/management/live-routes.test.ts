import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../../support/stream-server.js';

describe('/api/live', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let secret: string;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    secret = await app.server.secrets.create('main');
  });
  afterEach(() => cleanup.run());

  const live = async () => {
    const response = await fetch(`${app.origin}/api/live`, { headers: { authorization: `Bearer ${secret}` } });
    return { status: response.status, data: JSON.parse(await response.text()).data };
  };
  const goLive = async (streamName: string) => {
    const token = await app.token('publish', { streams: [{ streamName, isRegex: false }] });
    const publisher = await openSocket(await askDirector(app, 'publish', token, { streamName }));
    await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    app.engine.sendFrame(`main/${streamName}`);
    return publisher;
  };

  it('lists nothing while nothing is live', async () => {
    assert.deepEqual(await live(), { status: 200, data: [] });
  });

  it('lists the live streams by name, each with its sources and encodings', async () => {
    await goLive('b');
    await goLive('a');
    const layer = { simulcastIndex: 0, packets: 1, totalBytes: 1, width: 640, height: 360 };
    app.engine.emit('layers', 'main/a', null, [
      { ...layer, encodingId: '0', temporalLayerId: 0, active: true, bitrate: 100 },
      { ...layer, encodingId: '0', temporalLayerId: 1, active: true, bitrate: 50 },
      { ...layer, encodingId: '1', simulcastIndex: 1, active: false, bitrate: 0 },
    ]);
    app.engine.emit('reception', 'main/a', null, {
      packets: 99,
      lost: 1,
      shed: 2,
      jitterMs: 3,
      bitrate: 1_000_000,
      codecs: { video: 'h264' },
    });
    const { data } = await live();
    assert.deepEqual(
      data.map(({ streamName }: { streamName: string }) => streamName),
      ['a', 'b'],
    );
    const { liveSince, sources } = data[0];
    assert.equal(liveSince, new Date(app.clock.now).toISOString());
    const { tokenId, tokenLabel, tracks, ...source } = sources[0];
    assert.deepEqual([typeof tokenId, tokenLabel], ['number', null]);
    assert.ok(tracks.includes('video'));
    assert.deepEqual(source, {
      sourceId: null,
      liveSince,
      connected: true,
      videoBitrate: 150,
      encodings: [
        { id: '0', active: true, width: 640, height: 360, bitrate: 150 },
        { id: '1', active: false, width: 0, height: 0, bitrate: 0 },
      ],
      reception: { videoCodec: 'h264', audioCodec: null, loss: 0.01, shed: 2, overloaded: true, jitterSeconds: 0.003 },
      notices: [],
      recording: false,
    });
    assert.equal(data[1].sources[0].reception, null);
    assert.deepEqual(data[0].viewersOverTime, [{ time: liveSince, viewers: 0 }]);
  });

  describe('a picture of a stream', () => {
    const still = (path: string) =>
      fetch(`${app.origin}/api/streams/${path}`, { headers: { authorization: `Bearer ${secret}` } });

    it('is an image of its newest keyframe, and is not kept by browsers', async () => {
      await goLive('a/b c');
      const response = await still('a%2Fb%20c/still');
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'image/webp');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(bytes.subarray(8, 16).toString('latin1'), 'WEBPVP8 ');
      const { data } = (await app.engine.keyframe('main/a/b c', null))!;
      assert.deepEqual(bytes.subarray(20, 20 + data.length), data);
    });

    it('takes no place of a viewer', async () => {
      await goLive('one');
      await still('one/still');
      assert.equal((await live()).data[0].viewers, 0);
    });

    for (const [what, path] of [
      ['a stream that is not live', 'two/still'],
      ['a source that the stream does not have', 'one/still?sourceId=camera'],
    ] as const) {
      it(`does not exist of ${what}`, async () => {
        await goLive('one');
        const response = await still(path);
        assert.equal(response.status, 404);
        assert.equal(JSON.parse(await response.text()).data.code, 'still_unavailable');
      });
    }

    it('is refused with the media engine away, and can be asked for again', async () => {
      await goLive('one');
      app.engine.crash();
      const response = await still('one/still');
      assert.equal(response.status, 503);
      assert.equal(response.headers.get('retry-after'), '5');
      assert.equal(JSON.parse(await response.text()).data.code, 'engine_unavailable');
    });
  });

  it('no longer lists a stream that ended', async () => {
    await goLive('one');
    await fetch(`${app.origin}/api/stream/stop/all`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
    });
    assert.deepEqual((await live()).data, []);
  });

  it('does not list the streams of another account', async () => {
    await goLive('one');
    await app.server.accounts.create('other');
    secret = await app.server.secrets.create('other');
    assert.deepEqual((await live()).data, []);
  });

  it('refuses a caller without the secret', async () => {
    secret = 'sg_wrong';
    assert.equal((await live()).status, 401);
  });
});
