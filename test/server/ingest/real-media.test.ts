import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../../server/config/config.js';
import { createStreamServer, type StreamServer } from '../../../server/composition/stream-server.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { askIngest, locationOf, whep, whip } from '../../support/ingest-client.js';
import { LibdatachannelEncoder } from '../../support/media/libdatachannel-encoder.js';
import { FIREFOX_PAYLOAD_TYPES } from '../../support/media/offer.js';
import { RtpPeer } from '../../support/media/rtp-peer.js';
import { until } from '../../support/media/until.js';

const STREAMS = [{ streamName: 'main', isRegex: false }];

/** The server runs its embedded media engine, and each peer has its own transport. */
describe('WHIP and WHEP with real media', { timeout: 180_000 }, () => {
  const cleanup = new Cleanup();
  let server: StreamServer;
  let app: { origin: string };
  let publish: string;
  let subscribe: string;

  beforeEach(async () => {
    const DATA_DIR = await dataFolder(cleanup);
    const config = readConfig({ HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', DATA_DIR });
    server = await createStreamServer(config, { log: pino({ level: 'silent' }) });
    cleanup.after(() => server.close());
    await server.accounts.ensureFirstAccount();
    app = { origin: `http://127.0.0.1:${(await server.listen()).port}` };
    const token = async (kind: 'publish' | 'subscribe') =>
      (await server.tokens.create({ accountId: 'main', kind }, { label: '', streams: STREAMS })).token;
    [publish, subscribe] = [await token('publish'), await token('subscribe')];
  });
  afterEach(() => cleanup.run());

  const player = async (): Promise<{ peer: RtpPeer; session: string }> => {
    const peer = await RtpPeer.open({ role: 'viewer', payloadTypes: FIREFOX_PAYLOAD_TYPES });
    cleanup.after(() => peer.close());
    const answer = await whep(app, { token: subscribe, body: peer.offer });
    const session = locationOf(answer);
    await peer.accept({ answer: answer.text });
    return { peer, session };
  };
  const isLive = async () =>
    (await askIngest(app, '/api/whep/main/main', sdpOf(await RtpPeer.open({ role: 'viewer' })))).status === 201;
  const sdpOf = (peer: RtpPeer) => {
    cleanup.after(() => peer.close());
    return { headers: { 'content-type': 'application/sdp' }, body: peer.offer };
  };

  it('carry media from a publisher to viewers that come before and after it', async () => {
    const waiting = await player();
    const publisher = await RtpPeer.open({ role: 'publisher' });
    cleanup.after(() => publisher.close());
    const answer = await whip(app, { token: publish, body: publisher.offer });
    await publisher.accept({ answer: answer.text });
    await until('the waiting viewer receives video', () => (publisher.sendFrame(), waiting.peer.received('video') > 0));
    const late = await player();
    await until('the late viewer receives video', () => (publisher.sendFrame(), late.peer.received('video') > 0));
    assert.ok(waiting.peer.received('audio') > 0);
  });

  it('accept an offer like that of OBS Studio, in H.264', async () => {
    const encoder = await LibdatachannelEncoder.open();
    cleanup.after(() => encoder.close());
    // Peculiar to it: one fingerprint for all media sections, and SSRCs in the offer.
    assert.doesNotMatch(encoder.offer, /m=audio[^]*a=fingerprint:/);
    assert.match(encoder.offer, /a=ssrc:2222 cname:encoder/);
    const answer = await whip(app, { token: publish, body: encoder.offer });
    assert.match(answer.text, /a=rtpmap:96 H264\/90000/);
    await encoder.accept(answer.text);
    const { peer } = await player();
    await until('a player receives video and audio', () => {
      encoder.sendFrame();
      return peer.received('video') > 0 && peer.received('audio') > 0;
    });
  });

  it('end at once with DELETE', async () => {
    const publisher = await RtpPeer.open({ role: 'publisher' });
    cleanup.after(() => publisher.close());
    const answer = await whip(app, { token: publish, body: publisher.offer });
    await publisher.accept({ answer: answer.text });
    await until('the stream is live', () => (publisher.sendFrame(), isLive()));
    await askIngest(app, locationOf(answer), { method: 'DELETE' });
    await until('the stream is not live any more', async () => !(await isLive()));
    const another = await whip(app, { token: publish, body: publisher.offer });
    assert.equal(another.status, 201);
  });
});
