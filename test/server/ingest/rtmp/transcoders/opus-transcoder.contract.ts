import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  OpenOpusTranscoder,
  OpusTranscoder,
} from '../../../../../server/ingest/rtmp/transcoders/opus-transcoder.js';
import type { AacConfig } from '../../../../../server/rtmp/aac-config.js';
import { FlvMedia } from '../../../../../server/rtmp/flv-media.js';
import { FlvReader } from '../../../../../server/rtmp/flv-stream.js';
import { until } from '../../../../support/media/until.js';
import { ffmpegOutput, words } from '../../../../support/run-encoder.js';

interface Sound {
  readonly config: AacConfig;
  readonly frames: readonly { readonly data: Buffer; readonly timestamp: number }[];
}

/** Three seconds of a tone, as an encoder sends them. */
async function toneOf(rate: number, channels: number): Promise<Sound> {
  const input = words(`-f lavfi -i sine=frequency=440:sample_rate=${rate}:duration=3`);
  const bytes = await ffmpegOutput([...input, ...words(`-c:a aac -b:a 96k -ac ${channels} -f flv pipe:1`)]);
  const media = new FlvMedia();
  const events = new FlvReader().read(bytes).flatMap((message) => media.read(message) ?? []);
  const configs = events.flatMap((event) => (event.kind === 'config' && event.codec === 'aac' ? [event.config] : []));
  const frames = events.flatMap((event) => (event.kind === 'frame' && event.codec === 'aac' ? [event] : []));
  assert.ok(configs[0] && frames.length > 0);
  return { config: configs[0], frames };
}

/** What every `OpusTranscoder` does. */
export function opusTranscoderContract(name: string, find: () => Promise<OpenOpusTranscoder>): void {
  describe(`AAC to Opus by ${name}`, () => {
    let open: OpenOpusTranscoder;
    let stereo: Sound;
    const opened: OpusTranscoder[] = [];
    before(async () => {
      open = await find();
      stereo = await toneOf(48_000, 2);
    });
    after(() => opened.forEach((each) => each.close()));

    function transcoder(config: AacConfig) {
      const packets: { readonly data: Buffer; readonly timestampMs: number }[] = [];
      const ends: string[] = [];
      const made = open(config, {
        onPacket: (data, timestampMs) => void packets.push({ data, timestampMs }),
        onEnd: (reason) => void ends.push(reason),
      });
      opened.push(made);
      return { made, packets, ends };
    }

    for (const [rate, channels] of [
      [48_000, 2],
      [44_100, 1],
    ] as const) {
      it(`gives a packet for each 20 ms of ${rate} Hz with ${channels} channels, on the clock of the encoder`, async () => {
        const { config, frames } = await toneOf(rate, channels);
        const { made, packets, ends } = transcoder(config);
        const start = 60_000;
        for (const { data, timestamp } of frames) made.write(data, start + timestamp);
        await until('most of the sound came', () => packets.length > 120, 20_000);
        assert.deepEqual(ends, []);
        const [first] = packets;
        assert.ok(Math.abs(first!.timestampMs - start - frames[0]!.timestamp) < 1);
        const steps = packets.slice(1).map(({ timestampMs }, index) => timestampMs - packets[index]!.timestampMs);
        assert.ok(steps.every((step) => Math.abs(step - 20) < 1e-6));
        // CELT, 20 ms, stereo, one frame (RFC 6716 section 3.1).
        for (const { data } of packets)
          assert.deepEqual([data[0]! >> 3, (data[0]! >> 2) & 1, data[0]! & 3], [31, 1, 0]);
        // A tone has more than silence.
        assert.ok(packets.slice(10, 100).every(({ data }) => data.length > 20));
      });
    }

    it('leaves damaged frames out and goes on', async () => {
      const { made, packets, ends } = transcoder(stereo.config);
      stereo.frames.forEach(({ data, timestamp }, index) =>
        made.write(index === 20 ? Buffer.alloc(data.length, 0xff) : data, timestamp),
      );
      await until('the sound after it came', () => packets.length > 110, 20_000);
      assert.deepEqual(ends, []);
    });

    it('gives nothing after it was closed, and closes twice', async () => {
      const { made, packets, ends } = transcoder(stereo.config);
      for (const { data, timestamp } of stereo.frames) made.write(data, timestamp);
      await until('it works', () => packets.length > 0, 20_000);
      made.close();
      made.close();
      const { length } = packets;
      const other = transcoder(stereo.config);
      for (const { data, timestamp } of stereo.frames) other.made.write(data, timestamp);
      await until('another one works', () => other.packets.length > 100, 20_000);
      assert.deepEqual([packets.length, ends], [length, []]);
    });

    it('gives nothing for what is no AAC, and the next one works', async () => {
      const { made, packets, ends } = transcoder(stereo.config);
      for (let index = 0; index < 40; index++) made.write(Buffer.alloc(100, 0xff), index * 21);
      const other = transcoder(stereo.config);
      for (const { data, timestamp } of stereo.frames) other.made.write(data, timestamp);
      await until('sound', () => other.packets.length > 100, 20_000);
      assert.ok(ends.length <= 1);
      assert.equal(packets.length, 0);
    });
  });
}
