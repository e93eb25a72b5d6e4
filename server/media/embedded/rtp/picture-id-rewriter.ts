import type { PayloadInfo } from './payload-info.js';
import { SequenceRewriter } from './sequence-rewriter.js';

/**
 * Rewrites the picture ids and base layer indices (TL0PICIDX) of VP8 and VP9 for one receiver, so that they continue
 * when another encoding takes over. Decoders detect lost pictures by them.
 */
export class PictureIdRewriter {
  readonly #pictureIds = new SequenceRewriter();
  /** The last id read, extended. */
  #lastRead = 0;
  #baseLayerOffset = 0;
  #lastBaseLayerIndex: number | undefined;

  /** @param payload of the first packet of an encoding that takes over */
  startSource(payload: PayloadInfo): void {
    this.#pictureIds.startSource(this.#readFirst(payload));
    this.#goOnFrom(payload, 1);
  }

  /**
   * The encoding goes on with other ids. The gap of one tells decoders that pictures are missing.
   * @param payload of the first packet after the discontinuity. Padding has no id: the next picture shows it
   */
  resume(payload: PayloadInfo): void {
    if (payload.pictureIdAt < 0) return;
    this.#pictureIds.skipTo(this.#readFirst(payload));
    this.#goOnFrom(payload, 2);
  }

  /**
   * The picture is not sent, and leaves no gap in the ids.
   * @param isNewest whether no later packet came before
   */
  drop(payload: PayloadInfo, isNewest: boolean): void {
    if (payload.pictureIdAt < 0) return;
    if (isNewest && this.#isDiscontinuity(payload)) this.resume(payload);
    this.#pictureIds.drop(this.#extend(payload));
  }

  /**
   * Rewrites a packet in place. It may have been rewritten for another receiver already: the source's values are those
   * of `payload`.
   * @param payloadAt offset of the payload in the packet
   * @param payload with a picture id
   * @param isNewest whether no later packet was sent
   * @returns false if the receiver already has a later picture
   */
  rewrite(packet: Uint8Array, payloadAt: number, payload: PayloadInfo, isNewest: boolean): boolean {
    if (isNewest && this.#isDiscontinuity(payload)) this.resume(payload);
    if (payload.baseLayerIndexAt >= 0) {
      const baseLayerIndex = (payload.baseLayerIndex + this.#baseLayerOffset) & 0xff;
      packet[payloadAt + payload.baseLayerIndexAt] = baseLayerIndex;
      // An older packet that is sent again must not have the next encoding begin with a lower index.
      if (isNewest) this.#lastBaseLayerIndex = baseLayerIndex;
    }
    const id = this.#pictureIds.rewrite(this.#extend(payload));
    if (id === undefined) return false;
    const at = payloadAt + payload.pictureIdAt;
    if (payload.pictureIdBits === 15) {
      packet[at] = 0x80 | ((id >> 8) & 0x7f);
      packet[at + 1] = id & 0xff;
    } else {
      packet[at] = id & 0x7f;
    }
    return true;
  }

  /** @param step from the last base layer index that was sent to the next */
  #goOnFrom({ baseLayerIndex }: PayloadInfo, step: number): void {
    if (this.#lastBaseLayerIndex === undefined) return;
    this.#baseLayerOffset = this.#lastBaseLayerIndex + step - baseLayerIndex;
  }

  /** A later packet has an earlier picture, or one far ahead: the encoder began to count anew. */
  #isDiscontinuity(payload: PayloadInfo): boolean {
    const id = this.#extend(payload);
    return !this.#pictureIds.isNewest(id) || this.#pictureIds.isJump(id);
  }

  /** One cycle up, so that no earlier id is negative. */
  #readFirst({ pictureId, pictureIdBits }: PayloadInfo): number {
    return (this.#lastRead = pictureId + 2 ** pictureIdBits);
  }

  #extend({ pictureId, pictureIdBits }: PayloadInfo): number {
    const unused = 32 - pictureIdBits;
    return (this.#lastRead += ((pictureId - this.#lastRead) << unused) >> unused);
  }
}
