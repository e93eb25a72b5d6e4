import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  type Output,
  type OutputFormat,
  type Target,
} from 'mediabunny';
import type { VideoCodec } from '../../media/engine/media-track.js';
import type { Block } from '../matroska/cluster.js';
import { opusDurationMs } from '../matroska/opus-packet.js';
import type { DecoderConfigs } from './decoder-configs.js';

/** As mediabunny names them. MP4 has no VP8. */
const NAMES = { h264: 'avc', vp9: 'vp9', av1: 'av1' } as const;
/** Of a last frame of which nothing is known. */
const DEFAULT_FRAME_MS = 33;

export type PacketCounts = Readonly<Record<Block['kind'], number>>;

/** The tracks of an MP4 file that is written. */
export class Mp4Tracks {
  readonly #video: EncodedVideoPacketSource | undefined;
  readonly #audio: EncodedAudioPacketSource | undefined;

  /** @param counts how many packets will be added at most. Needed if the index is at the start of the file */
  constructor(
    output: Output<OutputFormat, Target>,
    codec: VideoCodec | undefined,
    { video, audio }: DecoderConfigs,
    counts?: PacketCounts,
  ) {
    if (codec === 'vp8') throw new TypeError('MP4 has no VP8');
    if (codec && video) {
      this.#video = new EncodedVideoPacketSource(NAMES[codec]);
      output.addVideoTrack(this.#video, { decoderConfig: video, ...(counts && { maximumPacketCount: counts.video }) });
    }
    if (audio) {
      this.#audio = new EncodedAudioPacketSource('opus');
      output.addAudioTrack(this.#audio, { decoderConfig: audio, ...(counts && { maximumPacketCount: counts.audio }) });
    }
  }

  /**
   * @param timestampMs in the MP4 file
   * @param frameMs how long a picture is shown if no other follows
   */
  async add({ kind, data, isKeyframe }: Block, timestampMs: number, frameMs = DEFAULT_FRAME_MS): Promise<void> {
    const durationMs = kind === 'audio' ? opusDurationMs(data) : frameMs;
    const packet = new EncodedPacket(data, isKeyframe ? 'key' : 'delta', timestampMs / 1_000, durationMs / 1_000);
    await (kind === 'video' ? this.#video : this.#audio)?.add(packet);
  }
}
