import { SequenceRewriter } from './sequence-rewriter.js';
import type { PayloadInfo } from './payload.js';

/**
 * The picture ids and base layer indices (TL0PICIDX) of VP8 and VP9, as one receiver gets them: they go on where they
 * were when another encoding takes over, as decoders tell by them what is missing.
 */
export class PictureIdRewriter {
  readonly #pictures = new SequenceRewriter();
  /** The last id read, extended. */
  #known = -1;
  #baseOffset = 0;
  #lastBase: number | undefined;

  /** Another encoding takes over with this packet. @param payloadAt where its payload begins */
  startSource(packet: Uint8Array, payloadAt: number, payload: PayloadInfo): void {
    this.#known = -1;
    if (payload.pictureIdAt >= 0) this.#pictures.startSource(this.#extend(payload));
    if (payload.baseLayerIndexAt < 0 || this.#lastBase === undefined) return;
    this.#baseOffset = this.#lastBase + 1 - packet[payloadAt + payload.baseLayerIndexAt]!;
  }

  /** The picture is not sent: those that follow move up. */
  drop(payload: PayloadInfo): void {
    if (payload.pictureIdAt >= 0) this.#pictures.drop(this.#extend(payload));
  }

  /** Writes into a packet what its receiver is to read. False: it is older than what that one has. */
  rewrite(packet: Uint8Array, payloadAt: number, payload: PayloadInfo): boolean {
    if (payload.baseLayerIndexAt >= 0) {
      const at = payloadAt + payload.baseLayerIndexAt;
      this.#lastBase = (packet[at]! + this.#baseOffset) & 0xff;
      packet[at] = this.#lastBase;
    }
    if (payload.pictureIdAt < 0) return true;
    const picture = this.#pictures.rewrite(this.#extend(payload));
    if (picture === undefined) return false;
    const at = payloadAt + payload.pictureIdAt;
    if (payload.pictureIdBits === 15) {
      packet[at] = 0x80 | ((picture >> 8) & 0x7f);
      packet[at + 1] = picture & 0xff;
    } else {
      packet[at] = picture & 0x7f;
    }
    return true;
  }

  #extend({ pictureId, pictureIdBits }: PayloadInfo): number {
    // Starting one cycle up leaves room below for what comes late.
    if (this.#known < 0) return (this.#known = pictureId + 2 ** pictureIdBits);
    const unused = 32 - pictureIdBits;
    return (this.#known += ((pictureId - this.#known) << unused) >> unused);
  }
}
