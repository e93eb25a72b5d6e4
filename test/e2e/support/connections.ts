import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** Every connection of the page. */
    peers: RTCPeerConnection[];
  }
}

/** One end of the media path. */
interface End {
  readonly port: number;
  readonly protocol: string;
  readonly candidateType: string;
  readonly tcpType?: string;
  readonly relayProtocol?: string;
}

export interface Path {
  /** Undefined, as `remote`, if there is no path. */
  readonly local?: End;
  readonly remote?: End;
  /** The number of decoded frames. `sent` is the number of sent frames. */
  readonly decoded: number;
  readonly sent: number;
}

/**
 * Records the connections of a page in `window.peers`. Call it before the page is opened, and before other functions that
 * replace RTCPeerConnection.
 */
export async function noteConnections(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.peers = [];
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        window.peers.push(this);
      }
    };
  });
}

/** What the browser reports of one video encoding that it sends (W3C webrtc-stats). */
export interface OutboundVideo {
  /** Of simulcast. */
  readonly rid?: string;
  readonly frameHeight: number;
  readonly framesEncoded: number;
  readonly keyFramesEncoded: number;
  readonly bytesSent: number;
  /** The sum of the quantizers of all frames. */
  readonly qpSum: number;
  readonly scalabilityMode?: string;
}

/** The video encodings that the page has sent pictures of, the smallest first. */
export async function outboundVideo(page: Page): Promise<OutboundVideo[]> {
  const sent = await page.evaluate(async () => {
    const reports = await Promise.all(window.peers.map((peer) => peer.getStats()));
    const entries = reports.flatMap((report) => Array.from(report.values()));
    return entries.filter(({ type, kind, frameHeight }) => type === 'outbound-rtp' && kind === 'video' && frameHeight);
  });
  return sent.toSorted((a, b) => a.frameHeight - b.frameHeight);
}

/** The path of the page's newest connection. */
export function pathOf(page: Page): Promise<Path> {
  return page.evaluate(async () => {
    const stats = [...((await window.peers.at(-1)?.getStats()) ?? new Map()).values()];
    const { selectedCandidatePairId } = stats.find(({ type }) => type === 'transport') ?? {};
    const pair = stats.find(({ id }) => id === selectedCandidatePairId);
    const video = (type: string) => stats.find((entry) => entry.type === type && entry.kind === 'video');
    return {
      local: stats.find(({ id }) => id === pair?.localCandidateId),
      remote: stats.find(({ id }) => id === pair?.remoteCandidateId),
      decoded: video('inbound-rtp')?.framesDecoded ?? 0,
      sent: video('outbound-rtp')?.framesSent ?? 0,
    };
  });
}
