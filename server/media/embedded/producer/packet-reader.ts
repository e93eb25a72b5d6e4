import type { VideoCodec } from '../../engine/media-track.js';
import type { Format } from '../../sdp/codecs.js';
import { payloadStart, timestamp } from '../rtp/packet.js';
import { readPayload } from '../rtp/payload.js';
import { DependencyStructures } from './dependency-structures.js';
import type { MediaPacket } from './media-packet.js';

/** Parses the packets of one encoding. What is said once about a keyframe or a frame, it remembers for later packets. */
export class PacketReader {
  /** Undefined: sound. */
  readonly #video: VideoCodec | undefined;
  /** AV1 */
  readonly #dependencies: DependencyStructures | undefined;
  /** AV1: the layer of the current frame, for packets without a layer of their own. */
  #frameLayer = { timestamp: -1, spatialId: -1, temporalId: -1 };

  constructor({ codec }: Format) {
    this.#video = codec === 'opus' ? undefined : codec;
    this.#dependencies = codec === 'av1' ? new DependencyStructures() : undefined;
  }

  /** Whether spatial layers can be left out: every packet names its layer. Not known of AV1 without descriptors. */
  get hasSelectableSpatialLayers(): boolean {
    return this.#dependencies?.isKnown ?? true;
  }

  /** Whether the source sends this layer, as far as it says so. */
  isLayerActive(spatialId: number, temporalId: number): boolean {
    return this.#dependencies?.isActive(spatialId, temporalId) ?? true;
  }

  /** Reads a packet that arrives now, in the order of arrival. @returns `into` */
  readArriving(packet: Buffer, sequence: number, now: number, into: MediaPacket): MediaPacket {
    const media = this.read(packet, sequence, into);
    media.arrivedAt = now;
    if (this.#video === 'av1' && media.payload.frameNumber < 0) this.#completeLayer(media);
    return media;
  }

  /** @returns `into` */
  read(packet: Buffer, sequence: number, into: MediaPacket): MediaPacket {
    into.packet = packet;
    into.isShed = false;
    into.sequence = sequence;
    into.timestamp = timestamp(packet);
    into.payloadAt = payloadStart(packet);
    if (this.#video !== undefined) readPayload(this.#video, packet, into.payload);
    this.#dependencies?.read(into);
    return into;
  }

  #completeLayer({ timestamp, payload }: MediaPacket): void {
    const known = this.#frameLayer;
    if (payload.spatialId >= 0 || payload.temporalId >= 0) {
      known.timestamp = timestamp;
      known.spatialId = payload.spatialId;
      known.temporalId = payload.temporalId;
    } else if (known.timestamp === timestamp) {
      payload.spatialId = known.spatialId;
      payload.temporalId = known.temporalId;
    }
  }
}
