import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type {
  OpenOpusTranscoder,
  OpusTranscoder,
} from '../../../../../server/ingest/rtmp/transcoders/opus-transcoder.js';
import { readAacConfig, type AacConfig } from '../../../../../server/rtmp/aac-config.js';
import { FlvMedia } from '../../../../../server/rtmp/flv-media.js';
import { FlvReader } from '../../../../../server/rtmp/flv-stream.js';
import { until } from '../../../../support/media/until.js';
import { amplitudeOf, decodedOpus, decodedSound, onsetOf, type Sound } from '../../../../support/opus-sound.js';
import { encodedFile } from '../../../../support/recording/encoded-media.js';
import { words } from '../../../../support/run-encoder.js';

interface AacSound {
  readonly config: AacConfig;
  readonly frames: readonly { readonly data: Buffer; readonly timestamp: number }[];
}

/** Three seconds of a tone, as an encoder sends them. */
const toneOf = async (rate: number, channels: number): Promise<AacSound> =>
  soundIn(await encodedAac(`sine=frequency=440:sample_rate=${rate}:duration=3`, channels));

const encodedAac = async (source: string, channels = 2): Promise<Buffer> =>
  readFileSync(await encodedFile(words(`-f lavfi -i ${source} -c:a aac -b:a 96k -ac ${channels} -f flv`)));

function soundIn(flv: Buffer): AacSound {
  const media = new FlvMedia();
  const events = new FlvReader().read(flv).flatMap((message) => media.read(message) ?? []);
  const configs = events.flatMap((event) => (event.kind === 'config' && event.codec === 'aac' ? [event.config] : []));
  const frames = events.flatMap((event) => (event.kind === 'frame' && event.codec === 'aac' ? [event] : []));
  assert.ok(configs[0] && frames.length > 0);
  return { config: configs[0], frames };
}

const flvFile = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../../../../support/flv', name));

/** Of 24 kHz and 48 kHz: HE-AAC as an encoder can signal it (ISO/IEC 14496-3 section 1.6.5). */
const HE_AAC_CONFIGS = {
  'he-aac.flv': { 'of SBR first': '2b118800', 'of AAC-LC, then of SBR': '131056e598', 'of AAC-LC alone': '1310' },
  'he-aac-v2.flv': {
    'of PS first': 'eb098800',
    'of AAC-LC, then of SBR and PS': '130856e59d4880',
    'of AAC-LC alone': '1308',
  },
} as const;

/** AAC-LC with 24 kHz has nothing there: what is there comes from SBR. */
const HIGHS = Array.from({ length: 200 }, (_, index) => 12_500 + 10 * index);
const loudnessOf = (frequencies: readonly number[], sound: Sound): number =>
  Math.sqrt(frequencies.reduce((sum, frequency) => sum + amplitudeOf(frequency, sound) ** 2 / 2, 0));

/** What every `OpusTranscoder` does. */
export function opusTranscoderContract(name: string, find: () => Promise<OpenOpusTranscoder>): void {
  describe(`AAC to Opus by ${name}`, () => {
    let open: OpenOpusTranscoder;
    let stereo: AacSound;
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

    /** All that comes of it. The last frames can stay inside. */
    async function transcoded({ config, frames }: AacSound) {
      const { made, packets, ends } = transcoder(config);
      for (const { data, timestamp } of frames) made.write(data, timestamp);
      const lengthMs = (frames.length * 1_024 * 1_000) / config.sampleRate;
      await until('all of it came', () => packets.length > (lengthMs - 100) / 20);
      assert.deepEqual(ends, []);
      return { packets, sound: await decodedOpus(packets.map(({ data }) => data)), lengthMs };
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
        await until('most of the sound came', () => packets.length > 120);
        assert.deepEqual(ends, []);
        const [first] = packets;
        assert.ok(Math.abs(first!.timestampMs - start - frames[0]!.timestamp) < 10);
        const steps = packets.slice(1).map(({ timestampMs }, index) => timestampMs - packets[index]!.timestampMs);
        assert.ok(steps.every((step) => Math.abs(step - 20) < 1e-6));
        // CELT, 20 ms, stereo, one frame (RFC 6716 section 3.1).
        for (const { data } of packets)
          assert.deepEqual([data[0]! >> 3, (data[0]! >> 2) & 1, data[0]! & 3], [31, 1, 0]);
        // A tone has more than silence.
        assert.ok(packets.slice(10, 100).every(({ data }) => data.length > 20));
      });
    }

    for (const rate of [48_000, 44_100, 22_050]) {
      it(`puts a tone of ${rate} Hz at the time that the encoder says`, async () => {
        const flv = await encodedAac(`aevalsrc=if(gte(t\\,1)\\,0.5*sin(2*PI*1000*t)\\,0):s=${rate}:d=2`);
        const { packets, sound } = await transcoded(soundIn(flv));
        const late = packets[0]!.timestampMs + onsetOf(sound) - onsetOf(await decodedSound(flv));
        assert.ok(Math.abs(late) < 1, `${late} ms late`);
      });
    }

    for (const [file, signals] of Object.entries(HE_AAC_CONFIGS)) {
      for (const [signal, bytes] of Object.entries(signals)) {
        it(`gives all of ${file}: its pitch, its highs and its length, with the configuration ${signal}`, async () => {
          const config = readAacConfig(Buffer.from(bytes, 'hex'))!;
          const { packets, sound, lengthMs } = await transcoded({ ...soundIn(flvFile(file)), config });
          const second = sound.subarray(48_000, 52_800);
          assert.ok(Math.abs(amplitudeOf(440, second) - 0.56) < 0.03, `440 Hz: ${amplitudeOf(440, second)}`);
          for (const other of [220, 880]) assert.ok(amplitudeOf(other, second) < 0.01, `${other} Hz`);
          assert.ok(loudnessOf(HIGHS, second) > 0.003, `highs: ${loudnessOf(HIGHS, second)}`);
          assert.ok(Math.abs(packets.at(-1)!.timestampMs + 20 - lengthMs) < 100);
        });
      }
    }

    it('leaves damaged frames out and goes on', async () => {
      const { made, packets, ends } = transcoder(stereo.config);
      stereo.frames.forEach(({ data, timestamp }, index) =>
        made.write(index === 20 ? Buffer.alloc(data.length, 0xff) : data, timestamp),
      );
      await until('the sound after it came', () => packets.length > 110);
      assert.deepEqual(ends, []);
    });

    it('gives nothing after it was closed, and closes twice', async () => {
      const { made, packets, ends } = transcoder(stereo.config);
      for (const { data, timestamp } of stereo.frames) made.write(data, timestamp);
      await until('it works', () => packets.length > 0);
      made.close();
      made.close();
      const { length } = packets;
      const other = transcoder(stereo.config);
      for (const { data, timestamp } of stereo.frames) other.made.write(data, timestamp);
      await until('another one works', () => other.packets.length > 100);
      assert.deepEqual([packets.length, ends], [length, []]);
    });

    it('gives nothing for what is no AAC, and the next one works', async () => {
      const { made, packets, ends } = transcoder(stereo.config);
      for (let index = 0; index < 40; index++) made.write(Buffer.alloc(100, 0xff), index * 21);
      const other = transcoder(stereo.config);
      for (const { data, timestamp } of stereo.frames) other.made.write(data, timestamp);
      await until('sound', () => other.packets.length > 100);
      assert.ok(ends.length <= 1);
      assert.equal(packets.length, 0);
    });
  });
}
