import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { ManagementClient } from '../../src/management.js';
import { webhookEvent } from '../../src/wire/webhook-event.js';
import { Cleanup } from '../support/cleanup.js';
import { pushFlv } from '../support/flv-push.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/media/until.js';
import { startServer } from '../support/server-process.js';
import { webhookReceiver } from '../support/webhook-receiver.js';

const FLV = join(import.meta.dirname, '../support/flv/h264-opus.flv');
/** Of a recorder and a packager that start, on a busy machine. */
const READY_WITHIN_MS = 120_000;

describe('a server that records for an account with a webhook', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('sends that a broadcast and a clip of it are ready, as the recordings are then', async () => {
    const rtmpPort = await freePort();
    const server = await startServer({
      MEDIA_WORKERS: '1',
      RTMP_PORT: String(rtmpPort),
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
    });
    cleanup.after(() => server.stop());
    const { secret } = await server.cli('secret', 'create', '--account', 'main');
    const client = new ManagementClient({ endpoint: server.origin, secret: String(secret) });
    const receiver = await webhookReceiver(cleanup);
    await client.webhooks.create({ url: receiver.url, events: ['recording.ready'] });
    const { Token: token } = await client.publishTokens.create({
      label: '',
      streams: [{ streamName: 'main' }],
      record: true,
    });
    const ended = new AbortController();
    cleanup.after(() => ended.abort());
    const url = `rtmp://127.0.0.1:${rtmpPort}/v2/pub/main?token=${token}`;
    const pushing = pushFlv({ url, flv: readFileSync(FLV), signal: ended.signal });
    const { recordings } = client;
    const clip = () => recordings.createClip('main', { seconds: 2 });
    const isCut = async () =>
      await clip().then(
        () => true,
        () => false,
      );
    await until('there is something to cut', isCut, READY_WITHIN_MS);
    await until('the clip is announced', () => receiver.calls.length === 1, READY_WITHIN_MS);
    await client.streams.stop('main/main');
    await pushing;
    await recordings.recordStream('main', false);
    await until('the broadcast is announced', () => receiver.calls.length === 2, READY_WITHIN_MS);

    const told = receiver.calls.map(({ body }) => webhookEvent.parse(JSON.parse(body)));
    assert.deepEqual(
      told.map(({ type, accountId, data }) => [type, accountId, data['kind']]),
      [
        ['recording.ready', 'main', 'clip'],
        ['recording.ready', 'main', 'broadcast'],
      ],
    );
    for (const { data } of told) {
      const { durationMs, recordingId, ...facts } = data;
      const recording = await recordings.recording(String(recordingId));
      assert.equal(recording.state, 'ready');
      assert.equal(Number(durationMs) / 1_000, recording.durationSeconds);
      const { kind, sourceId, startedOn, bytes, container } = recording;
      const stream = { streamName: 'main', streamId: 'main/main' };
      assert.deepEqual(facts, { ...stream, kind, sourceId, startedOn, bytes, container });
      assert.equal(container, 'mp4');
    }
  });
});
