import { askIngest, whipSession } from '../ingest-client.js';
import type { RecordingName } from './recorded-encoder.js';
import { RecordedPeer } from './recorded-peer.js';

export interface WhipAddress {
  readonly origin: string;
  readonly streamName: string;
  readonly token: string;
}

/** A recorded encoder that publishes over WHIP. */
export class WhipPublisher {
  readonly #peer: RecordedPeer;
  readonly #session: URL;

  /** @throws the server refused */
  static async open({ origin, streamName, token }: WhipAddress, recording: RecordingName): Promise<WhipPublisher> {
    const peer = await RecordedPeer.open(recording);
    try {
      // The offer is that of a browser, which offers every codec.
      const name = `${streamName}?codec=${peer.encoder.codec}`;
      const { url, answer } = await whipSession({ origin }, { token, body: peer.offer }, name);
      await peer.accept({ answer });
      peer.play();
      return new WhipPublisher(peer, url);
    } catch (error) {
      peer.close();
      throw error;
    }
  }

  private constructor(peer: RecordedPeer, session: URL) {
    this.#peer = peer;
    this.#session = session;
  }

  /** Ends the broadcast. */
  async leave(): Promise<void> {
    this.close();
    await askIngest(this.#session, this.#session.href, { method: 'DELETE' });
  }

  /** Vanishes without notice. */
  close(): void {
    this.#peer.close();
  }
}
