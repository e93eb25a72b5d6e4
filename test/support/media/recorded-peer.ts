import type { MediaSession } from '../../../server/media/engine/media-session.js';
import { RecordedEncoder, type RecordedEncoderOptions, type RecordingName } from './recorded-encoder.js';
import { RtpPeer } from './rtp-peer.js';

const STEP_MS = 20;

/** A recorded encoder with a transport of its own. */
export class RecordedPeer {
  readonly encoder: RecordedEncoder;
  readonly #peer: RtpPeer;

  static async open(name: RecordingName, options?: RecordedEncoderOptions): Promise<RecordedPeer> {
    const encoder = new RecordedEncoder(name, options);
    return new RecordedPeer(encoder, await RtpPeer.open({ role: 'publisher', offer: encoder.offer }));
  }

  private constructor(encoder: RecordedEncoder, peer: RtpPeer) {
    this.encoder = encoder;
    this.#peer = peer;
    peer.onRtcp = (packet) => encoder.receive(packet);
  }

  get offer(): string {
    return this.#peer.offer;
  }

  /** Applies the answer. Resolves when packets can be sent. */
  accept(session: Pick<MediaSession, 'answer'>): Promise<void> {
    return this.#peer.accept(session);
  }

  /** Sends what is due until a time in ms. */
  sendUntil(now: number): void {
    for (const packet of this.encoder.packetsUntil(now)) this.#peer.send(packet);
  }

  /** Sends at the speed of the recording until it is stopped or closed. @returns stops it */
  play(): () => void {
    const began = performance.now();
    return this.#peer.sendEvery(STEP_MS, () => this.sendUntil(performance.now() - began));
  }

  close(): void {
    this.#peer.close();
  }
}
