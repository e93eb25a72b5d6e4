import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Recorded } from '../e2e/support/recorded-streams.js';
import { Cleanup } from '../support/cleanup.js';
import { pushFlv } from '../support/flv-push.js';
import { RecordedBroadcasts, untilAsked } from '../support/recording/recorded-broadcasts.js';

const FLV = join(import.meta.dirname, '../support/flv/h264-opus.flv');

describe('a recorded broadcast', { concurrency: true }, () => {
  const cleanup = new Cleanup();
  let broadcasts: RecordedBroadcasts;

  before(async () => {
    broadcasts = await RecordedBroadcasts.open(cleanup, { RTMP_PORT: '0' });
  });
  after(() => cleanup.run());

  const recordings = (streamName: string): Promise<Recorded[]> => broadcasts.api.of(streamName);
  const stopped = async (streamName: string): Promise<Recorded> => {
    await broadcasts.api.stop(streamName);
    const all = await broadcasts.ready(streamName);
    assert.equal(all.length, 1);
    return all[0]!;
  };
  /** Every frame of the file, all of which can be decoded. */
  const decoded = async (recording: Recorded) => {
    const { errors, ...frames } = await broadcasts.api.decoded(recording);
    assert.equal(errors, '');
    return frames;
  };

  for (const codec of ['h264', 'vp9', 'av1', 'vp8'] as const) {
    it(`of ${codec} is a file that can be downloaded, every frame of which can be decoded`, async () => {
      const name = `file-${codec}`;
      await broadcasts.publish(name, { codec });
      await broadcasts.grows(name, 3);
      const { videoCodec, container, fault, ...ready } = await stopped(name);
      assert.deepEqual([videoCodec, container, fault], [codec, codec === 'vp8' ? 'webm' : 'mp4', null]);
      const { video, audio } = await decoded({ videoCodec, container, fault, ...ready });
      assert.ok(Math.min(video.length, audio.length) > 20, `${video.length} pictures, ${audio.length} of sound`);
    });
  }

  for (const codec of ['h264', 'vp8'] as const) {
    it(`of ${codec} is recorded on command over HTTP, gives a clip, and stays live when that ends`, async () => {
      const name = `command-${codec}`;
      const one = async (kind: Recorded['kind']) => (await recordings(name)).find((each) => each.kind === kind);
      await broadcasts.publish(name, { codec, token: await broadcasts.tokens.publish(name) });
      assert.deepEqual(await recordings(name), []);

      await broadcasts.api.record(name, true);
      await broadcasts.grows(name, 7);
      // Of now: a busy recorder may have nothing of the last second yet.
      await broadcasts.api.clip(name, 4);
      await untilAsked('the clip is ready', async () => (await one('clip'))?.state === 'ready');
      await broadcasts.api.record(name, false);
      await broadcasts.ready(name);
      assert.equal(await broadcasts.isLive(name), true);

      const [broadcast, clip] = [(await one('broadcast'))!, (await one('clip'))!];
      for (const recording of [broadcast, clip]) {
        assert.equal(recording.container, codec === 'vp8' ? 'webm' : 'mp4');
        await decoded(recording);
      }
      // It is cut at keyframes, which come every two seconds.
      assert.ok(clip.durationSeconds > 0.9 && clip.durationSeconds < broadcast.durationSeconds);
    });
  }

  it('of an encoder over RTMP is a file as well', async () => {
    const name = 'rtmp';
    const token = await broadcasts.tokens.publish(name, { record: true });
    const port = /"port":(\d+)[^\n]*encoders can connect/.exec(broadcasts.server.output())![1];
    const end = new AbortController();
    cleanup.after(() => end.abort());
    const url = `rtmp://127.0.0.1:${port}/v2/pub/${name}?token=${token}`;
    const pushing = pushFlv({ url, flv: readFileSync(FLV), signal: end.signal });
    await broadcasts.grows(name, 3);
    const ready = await stopped(name);
    await pushing;
    assert.deepEqual([ready.videoCodec, ready.container, ready.fault], ['h264', 'mp4', null]);
    const { video, audio } = await decoded(ready);
    assert.ok(Math.min(video.length, audio.length) > 20, `${video.length} pictures, ${audio.length} of sound`);
  });
});
