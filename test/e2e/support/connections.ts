import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** Every connection that the page made. */
    peers: RTCPeerConnection[];
  }
}

/** One end of the way that media takes. */
interface End {
  readonly port: number;
  readonly protocol: string;
  readonly candidateType: string;
  readonly tcpType?: string;
  readonly relayProtocol?: string;
}

export interface Path {
  /** Undefined, as the other end: no way was found. */
  readonly local?: End;
  readonly remote?: End;
  /** Pictures that came, and that went. */
  readonly decoded: number;
  readonly sent: number;
}

/**
 * From now on the page's connections can be looked at. To be called before the page is opened, and before anything
 * else that has to do with them.
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

/** What the page's newest connection goes through. */
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

export const connectionsOf = (page: Page): Promise<number> => page.evaluate(() => window.peers.length);
