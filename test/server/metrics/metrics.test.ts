import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { MediaProcessFigures } from '../../../server/media/media-engine.js';
import { mediaMetrics } from '../../../server/metrics/media-metrics.js';
import { Metrics } from '../../../server/metrics/metrics.js';
import { Cleanup } from '../../support/cleanup.js';
import { askDirector, streamServer } from '../../support/stream-server.js';

const cleanup = new Cleanup();
after(() => cleanup.run());
const TOKEN = 'the metrics of this test';
const METRICS_TOKEN = TOKEN.replaceAll(' ', '-');

const figures: MediaProcessFigures = {
  worker: 1,
  publishers: 2,
  viewers: 30,
  streams: 2,
  packetsReceived: 1_000,
  packetsLost: 1,
  packetsSent: 30_000,
  packetsMissed: 20,
  packetsResent: 18,
  failedSends: 3,
  keyframeRequests: 4,
  shedFrames: 5,
  shedSoundPackets: 6,
  roundTripMs: 42,
  availableBitrate: undefined,
  eventLoopDelayMs: 7,
  eventLoopBusy: 0.25,
  loadDegree: 1,
};

/** The values of a text of Prometheus, by name and labels. */
const valuesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^([^#\s]\S*) (\S+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, Number(value)] as const];
    }),
  );

describe('the metrics of media', () => {
  it('are the newest figures of each process, in seconds and without what is not known', async () => {
    let processes: readonly MediaProcessFigures[] = [figures];
    const metrics = new Metrics([mediaMetrics({ figures: () => processes })]);
    const first = valuesIn(await metrics.text());
    assert.equal(first.get('streamgate_media_packets_sent_total{worker="1"}'), 30_000);
    assert.equal(first.get('streamgate_media_failed_sends_total{worker="1"}'), 3);
    assert.equal(first.get('streamgate_media_shed_frames_total{worker="1"}'), 5);
    assert.equal(first.get('streamgate_media_round_trip_seconds{worker="1"}'), 0.042);
    assert.equal(first.get('streamgate_media_event_loop_busy_ratio{worker="1"}'), 0.25);
    assert.equal(first.has('streamgate_media_available_bits_per_second{worker="1"}'), false);
    assert.ok(first.get('process_resident_memory_bytes')! > 0);

    processes = [{ ...figures, worker: 2, packetsSent: 31_000 }];
    const second = valuesIn(await metrics.text());
    assert.equal(second.get('streamgate_media_packets_sent_total{worker="2"}'), 31_000);
    assert.equal(second.has('streamgate_media_packets_sent_total{worker="1"}'), false, 'a process that is gone');
  });
});

describe('GET /metrics', () => {
  const read = async (origin: string, token?: string) =>
    await fetch(`${origin}/metrics`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

  it('does not exist without METRICS_TOKEN', async () => {
    const { origin } = await streamServer(cleanup);
    for (const token of [undefined, METRICS_TOKEN]) {
      const response = await read(origin, token);
      assert.deepEqual([response.status, (await response.json()).data.code], [404, 'route_not_found']);
    }
  });

  it('refuses whoever does not present the token', async () => {
    const { origin } = await streamServer(cleanup, { METRICS_TOKEN });
    for (const token of [undefined, '', 'x', METRICS_TOKEN.slice(1), `${METRICS_TOKEN}x`]) {
      const response = await read(origin, token);
      assert.deepEqual([response.status, (await response.json()).data.code], [401, 'metrics_token_wrong']);
    }
  });

  it('counts decisions by their outcome, and no name, token or address', async () => {
    const server = await streamServer(cleanup, { METRICS_TOKEN });
    const token = await server.token('publish');
    await askDirector(server, 'publish', token);
    await askDirector(server, 'publish', 'unknown');
    await askDirector(server, 'subscribe');
    const response = await read(server.origin, METRICS_TOKEN);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const text = await response.text();
    const decided = [...valuesIn(text)].filter(([name]) => name.startsWith('streamgate_decisions_total'));
    assert.deepEqual(Object.fromEntries(decided), {
      'streamgate_decisions_total{kind="publish",outcome="allowed"}': 1,
      'streamgate_decisions_total{kind="publish",outcome="token_unknown"}': 1,
      'streamgate_decisions_total{kind="subscribe",outcome="stream_not_live"}': 1,
    });
    assert.equal(valuesIn(text).get('streamgate_sessions{role="viewer"}'), 0);
    for (const secret of [token, '127.0.0.1', 'main']) assert.ok(!text.includes(secret), secret);
  });
});
