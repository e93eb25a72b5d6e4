import type { AacConfig } from '../../../rtmp/aac-config.js';
import { adtsFrame } from './adts.js';
import { FfmpegProcess } from './ffmpeg-process.js';
import { OpusClock } from './opus-clock.js';
import { OpusPages } from './opus-pages.js';

/** Turns the AAC of one encoder into Opus packets of 20 ms, which browsers play. */
export interface OpusTranscoder {
  /** @param timestampMs without wraps */
  write(frame: Buffer, timestampMs: number): void;
  close(): void;
}

export interface OpusTranscoderListener {
  onPacket(data: Buffer, timestampMs: number): void;
  /** It makes no more packets. Called once, and never after `close()`. @param reason for the operator */
  onEnd(reason: string): void;
}

export type OpenOpusTranscoder = (config: AacConfig, listener: OpusTranscoderListener) => OpusTranscoder;

/**
 * AAC from the standard input, Opus to the standard output, each packet as soon as it is there. `nobuffer` would drop
 * the first frames, and the sound would be ahead of the picture from then on.
 */
const ARGUMENTS = [
  '-flags low_delay -probesize 32 -analyzeduration 0 -f aac -i pipe:0',
  '-vn -c:a libopus -b:a 128k -ar 48000 -ac 2 -frame_duration 20',
  '-f ogg -page_duration 20000 -flush_packets 1 pipe:1',
].flatMap((part) => part.split(' '));
/** Seconds of sound. */
const MAX_WAITING_BYTES = 1 << 18;

/** An `OpusTranscoder` that is an ffmpeg process. */
export class FfmpegOpusTranscoder implements OpusTranscoder {
  readonly #config: AacConfig;
  readonly #process: FfmpegProcess;
  readonly #clock: OpusClock;
  readonly #onEnd: OpusTranscoderListener['onEnd'];

  /** @param ffmpeg path of the program */
  constructor(ffmpeg: string, config: AacConfig, { onPacket, onEnd }: OpusTranscoderListener) {
    this.#config = config;
    this.#onEnd = onEnd;
    this.#clock = new OpusClock(config.sampleRate);
    const pages = new OpusPages();
    this.#process = new FfmpegProcess({
      ffmpeg,
      args: ARGUMENTS,
      maxWaitingBytes: MAX_WAITING_BYTES,
      onOutput: (chunk) => {
        for (const packet of pages.read(chunk)) onPacket(packet, this.#clock.give());
      },
      onEnd,
    });
  }

  write(frame: Buffer, timestampMs: number): void {
    const adts = adtsFrame(this.#config, frame);
    if (!adts) {
      this.close();
      return this.#onEnd(`AAC of this kind cannot be given to ffmpeg: ${this.#config.bytes.toString('hex')}`);
    }
    this.#clock.take(timestampMs);
    this.#process.write(adts);
  }

  close(): void {
    this.#process.close();
  }
}
