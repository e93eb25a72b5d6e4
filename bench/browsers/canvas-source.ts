import type { Browser, Page } from 'playwright';

declare global {
  interface Window {
    source: RTCPeerConnection;
  }
}

/** What the browser's encoder has done so far (W3C webrtc-stats). */
export interface Encoded {
  readonly frames: number;
  readonly keyframes: number;
  /** The sum of the quantizers of all frames. */
  readonly qpSum: number;
  readonly bytes: number;
}

const PICTURE = { width: 640, height: 360, perSecond: 30 };

/** A browser that sends a moving picture, as VP8 in three temporal layers, to any server that answers its offer. */
export class CanvasSource {
  readonly offer: string;
  readonly #page: Page;

  /** @param maxBitrate in bit/s */
  static async open(browser: Browser, maxBitrate: number): Promise<CanvasSource> {
    const page = await browser.newPage();
    const offer = await page.evaluate(startSource, { ...PICTURE, maxBitrate });
    return new CanvasSource(page, offer);
  }

  private constructor(page: Page, offer: string) {
    this.#page = page;
    this.offer = offer;
  }

  async accept(answer: string): Promise<void> {
    await this.#page.evaluate((sdp) => window.source.setRemoteDescription({ type: 'answer', sdp }), answer);
  }

  async encoded(): Promise<Encoded> {
    return this.#page.evaluate(async () => {
      const sent = [...(await window.source.getStats()).values()].find(({ type }) => type === 'outbound-rtp');
      const { framesEncoded = 0, keyFramesEncoded = 0, qpSum = 0, bytesSent = 0 } = sent ?? {};
      return { frames: framesEncoded, keyframes: keyFramesEncoded, qpSum, bytes: bytesSent };
    });
  }

  async close(): Promise<void> {
    await this.#page.close();
  }
}

/** Runs in the page. Bars move over a picture of many colours, so that each frame costs about the same. */
async function startSource({ width, height, perSecond, maxBitrate }: typeof PICTURE & { maxBitrate: number }) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const picture = canvas.getContext('2d')!;
  const BARS = 24;
  let drawn = 0;
  setInterval(() => {
    drawn++;
    for (let bar = 0; bar < BARS; bar++) {
      picture.fillStyle = `hsl(${(bar * 360) / BARS + drawn} 60% ${30 + ((bar * 37) % 50)}%)`;
      const x = (bar * width) / BARS + 20 * Math.sin((drawn + bar * 9) / 17);
      picture.fillRect(x, 0, width / BARS + 20, height);
      picture.fillStyle = '#fff';
      picture.fillText(`${drawn * (bar + 1)}`, x, (bar * 53 + drawn * (1 + (bar % 3))) % height);
    }
  }, 1_000 / perSecond);
  const [track] = canvas.captureStream(perSecond).getVideoTracks();
  const source = (window.source = new RTCPeerConnection({ bundlePolicy: 'max-bundle' }));
  const encoding = { maxBitrate, scalabilityMode: 'L1T3' };
  const transceiver = source.addTransceiver(track!, { direction: 'sendonly', sendEncodings: [encoding] });
  const { codecs } = RTCRtpSender.getCapabilities('video')!;
  transceiver.setCodecPreferences(codecs.filter(({ mimeType }) => /vp8|rtx/i.test(mimeType)));
  await source.setLocalDescription();
  return source.localDescription!.sdp;
}
