import { attempt } from '../../../faults/contain.js';
import type { AacConfig } from '../../../rtmp/aac-config.js';
import type { ChannelLayout, CodecContext, Frame, NodeAv, Packet, ResampleContext } from './node-av.js';
import { OpusClock } from './opus-clock.js';
import type { OpusTranscoder, OpusTranscoderListener } from './opus-transcoder.js';

/** Numbers of FFmpeg, which never change. */
const AAC = 86_018;
const FLOAT_SAMPLES = 3;
const STEREO: ChannelLayout = { order: 1, nbChannels: 2, mask: 3n };

const SAMPLE_RATE = 48_000;
/** 20 ms. */
const PACKET_SAMPLES = 960;
const BYTES_PER_SAMPLE = 4 * STEREO.nbChannels;
const PACKET_BYTES = PACKET_SAMPLES * BYTES_PER_SAMPLE;
const BITRATE = 128_000n;
/** Some 20 s of AAC: after a fault of its network, an encoder sends much at once. */
const MAX_WAITING_FRAMES = 1_000;
/** Damaged frames are left out. So many in a row are not damage. */
const MAX_FAILURES = 50;

interface Codecs {
  readonly decoder: CodecContext;
  readonly encoder: CodecContext;
}

/** An `OpusTranscoder` in this process, by `node-av`. It works on other threads. */
export class NodeAvOpusTranscoder implements OpusTranscoder {
  readonly #av: NodeAv;
  readonly #config: AacConfig;
  readonly #listener: OpusTranscoderListener;
  readonly #clock: OpusClock;
  readonly #packet: Packet;
  readonly #frame: Frame;
  #codecs: Codecs | undefined;
  #resampler: { readonly context: ResampleContext; readonly key: string } | undefined;
  #waiting: Buffer[] = [];
  #samples: Buffer = Buffer.alloc(0);
  #position = 0;
  #failures = 0;
  #isWorking = false;
  #isClosed = false;

  constructor(av: NodeAv, config: AacConfig, listener: OpusTranscoderListener) {
    this.#av = av;
    this.#config = config;
    this.#listener = listener;
    this.#clock = new OpusClock(config.sampleRate);
    this.#packet = new av.Packet();
    this.#packet.alloc();
    this.#frame = new av.Frame();
    this.#frame.alloc();
  }

  write(frame: Buffer, timestampMs: number): void {
    if (this.#isClosed) return;
    this.#clock.take(timestampMs);
    if (this.#waiting.push(frame) > MAX_WAITING_FRAMES) return this.#end('it is too slow');
    if (!this.#isWorking) attempt('ingest', () => this.#work());
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting = [];
    // Memory that another thread uses must not be freed.
    if (!this.#isWorking) this.#free();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      this.#codecs ??= await this.#open();
      for (let frame = this.#waiting.shift(); frame && !this.#isClosed; frame = this.#waiting.shift()) {
        await this.#decode(this.#codecs, frame);
      }
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error));
    }
    this.#isWorking = false;
    if (this.#isClosed) this.#free();
  }

  async #open(): Promise<Codecs> {
    const { Codec, CodecContext, Rational } = this.#av;
    const decoder = new CodecContext();
    const aac = Codec.findDecoder(AAC);
    decoder.allocContext3(aac);
    decoder.extraData = this.#config.bytes;
    const encoder = new CodecContext();
    const opus = Codec.findEncoderByName('libopus');
    encoder.allocContext3(opus);
    encoder.sampleRate = SAMPLE_RATE;
    encoder.sampleFormat = FLOAT_SAMPLES;
    encoder.channelLayout = STEREO;
    encoder.timeBase = new Rational(1, SAMPLE_RATE);
    encoder.bitRate = BITRATE;
    succeeded('the AAC decoder cannot be opened', await decoder.open2(aac));
    succeeded('the Opus encoder cannot be opened', await encoder.open2(opus));
    return { decoder, encoder };
  }

  async #decode({ decoder, encoder }: Codecs, aac: Buffer): Promise<void> {
    this.#packet.data = aac;
    const sent = await decoder.sendPacket(this.#packet);
    this.#packet.unref();
    if (sent < 0) {
      if (++this.#failures > MAX_FAILURES) throw new Error(`the AAC cannot be decoded (${sent})`);
      return;
    }
    this.#failures = 0;
    while ((await decoder.receiveFrame(this.#frame)) >= 0) {
      const samples = await this.#resample(this.#frame);
      this.#frame.unref();
      this.#samples = Buffer.concat([this.#samples, samples]);
      while (this.#samples.length >= PACKET_BYTES) {
        await this.#encode(encoder, this.#samples.subarray(0, PACKET_BYTES));
        this.#samples = this.#samples.subarray(PACKET_BYTES);
      }
    }
  }

  /** The frames of HE-AAC can have another rate than the configuration says. */
  async #resample(frame: Frame): Promise<Buffer> {
    const { sampleRate, channelLayout, format, nbSamples, extendedData } = frame;
    const key = [sampleRate, channelLayout.mask, channelLayout.nbChannels, format].join();
    if (this.#resampler?.key !== key) {
      this.#resampler?.context[Symbol.dispose]();
      this.#resampler = undefined;
      const context = new this.#av.SoftwareResampleContext();
      context.allocSetOpts2(STEREO, FLOAT_SAMPLES, SAMPLE_RATE, channelLayout, format, sampleRate);
      succeeded('the sound cannot be resampled', context.init());
      this.#resampler = { context, key };
    }
    const { context } = this.#resampler;
    const room = context.getOutSamples(nbSamples);
    const out = Buffer.alloc(room * BYTES_PER_SAMPLE);
    const made = await context.convert([out], room, extendedData ?? [], nbSamples);
    succeeded('the sound cannot be resampled', made);
    return out.subarray(0, made * BYTES_PER_SAMPLE);
  }

  async #encode(encoder: CodecContext, samples: Buffer): Promise<void> {
    const frame = this.#av.Frame.fromAudioBuffer(samples, {
      nbSamples: PACKET_SAMPLES,
      format: FLOAT_SAMPLES,
      sampleRate: SAMPLE_RATE,
      channelLayout: STEREO,
      pts: BigInt(this.#position),
    });
    this.#position += PACKET_SAMPLES;
    const sent = await encoder.sendFrame(frame);
    frame[Symbol.dispose]();
    succeeded('the sound cannot be encoded', sent);
    while ((await encoder.receivePacket(this.#packet)) >= 0) {
      const { data } = this.#packet;
      if (data && !this.#isClosed) this.#listener.onPacket(Buffer.from(data), this.#clock.give());
      this.#packet.unref();
    }
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#listener.onEnd(reason);
  }

  #free(): void {
    for (const each of [this.#codecs?.decoder, this.#codecs?.encoder, this.#resampler?.context]) {
      each?.[Symbol.dispose]();
    }
    this.#packet[Symbol.dispose]();
    this.#frame[Symbol.dispose]();
  }
}

function succeeded(what: string, result: number): void {
  if (result < 0) throw new Error(`${what} (${result})`);
}
