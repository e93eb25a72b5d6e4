import { expect, type Frame, type Page } from '@playwright/test';
import { whipSession } from '../../support/ingest-client.js';
import { RtpPeer } from '../../support/media/rtp-peer.js';
import { VP8_PICTURE } from '../../support/media/rtp.js';
import { mediaFlows, type StreamAddress } from './pages.ts';

/** Ten frames a second are enough for a viewer that comes later. */
const FRAME_MS = 100;

/**
 * A broadcast over WHIP without an encoder: packets of one small picture, which browsers show, and of no sound. It costs
 * next to nothing.
 */
export class PacketBroadcast {
  readonly #peer: RtpPeer;
  readonly #session: URL;
  readonly #stop: () => void;

  /** Resolves when media flows. */
  static async begin({ origin, streamName, token }: StreamAddress): Promise<PacketBroadcast> {
    const peer = await RtpPeer.open({ role: 'publisher' });
    const { url, answer } = await whipSession({ origin }, { token, body: peer.offer }, encodeURIComponent(streamName));
    await peer.accept({ answer });
    const broadcast = new PacketBroadcast(peer, url);
    await mediaFlows({ origin, streamName });
    return broadcast;
  }

  private constructor(peer: RtpPeer, session: URL) {
    this.#peer = peer;
    this.#session = session;
    this.#stop = peer.sendEvery(FRAME_MS, () => peer.sendFrame({ picture: VP8_PICTURE, intervalMs: FRAME_MS }));
  }

  /** False: the server has ended it. */
  get isOn(): boolean {
    return this.#peer.isOpen;
  }

  async end(): Promise<void> {
    this.#stop();
    await fetch(this.#session, { method: 'DELETE' });
    this.#peer.close();
  }
}

/** Waits until the tag shows new frames. The picture of such a broadcast stands still. */
export async function expectPlayback(page: Page | Frame): Promise<void> {
  const frames = () =>
    page.evaluate(() => {
      const video = document.querySelector('stream-viewer')?.shadowRoot?.querySelector('video');
      return video?.getVideoPlaybackQuality().totalVideoFrames ?? 0;
    });
  const before = await frames();
  await expect.poll(frames, { message: 'frames are shown' }).toBeGreaterThan(before);
}
