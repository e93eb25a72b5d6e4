import type { Page } from '@playwright/test';
import { LossyNetwork, type LossyNetworkOptions } from '../../support/media/lossy-network.ts';
import type { PathConditions } from '../../support/media/simulated-path.ts';
import { noteConnections } from './connections.ts';

declare global {
  interface Window {
    relayTo(port: number): Promise<number>;
  }
}

/** The network between a page and the server. */
export interface BadNetwork {
  /** The number of packets lost so far. */
  dropped(): number;
  /** Changes the given conditions of the path to the page. */
  changeDown(conditions: Partial<PathConditions>): void;
  /** Changes those of the path to the server. */
  changeUp(conditions: Partial<PathConditions>): void;
  /** Cuts the existing paths. New paths work. */
  cut(): void;
  close(): void;
}

/**
 * Sends the media of a page through a bad network: every answer that the page receives gets the address of a relay.
 * Call it before the page is opened.
 */
export async function useBadNetwork(page: Page, conditions: Omit<LossyNetworkOptions, 'target'>): Promise<BadNetwork> {
  const relays = new Map<number, Promise<LossyNetwork>>();
  const opened: LossyNetwork[] = [];
  const relayTo = (target: number): Promise<LossyNetwork> => {
    const relay =
      relays.get(target) ??
      LossyNetwork.open({ ...conditions, target }).then((relay) => {
        opened.push(relay);
        return relay;
      });
    relays.set(target, relay);
    return relay;
  };
  await page.exposeFunction('relayTo', async (target: number) => (await relayTo(target)).port);
  await noteConnections(page);
  await page.addInitScript(replaceAddresses);
  return {
    dropped: () => opened.reduce((sum, { counts }) => sum + counts.dropped, 0),
    changeDown: (conditions) => opened.forEach(({ down }) => Object.assign(down, conditions)),
    changeUp: (conditions) => opened.forEach(({ up }) => Object.assign(up, conditions)),
    cut: () => opened.forEach((relay) => relay.dropMappings()),
    close: () => opened.forEach((relay) => relay.close()),
  };
}

/** Runs in the page. Leaves one candidate, for UDP. With others the page would connect without the relay. */
function replaceAddresses(): void {
  window.RTCPeerConnection = class extends RTCPeerConnection {
    override async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
      const candidate = /^a=candidate:\S+ 1 udp (\d+) \S+ (\d+) typ host.*\r\n/im;
      const port = Number(candidate.exec(description.sdp ?? '')?.[2]);
      const relayed = `a=candidate:relayed 1 UDP 1 127.0.0.1 ${await window.relayTo(port)} typ host\r\n`;
      const sdp = description.sdp?.replace(candidate, relayed).replace(/^a=candidate:(?!relayed).*\r\n/gm, '');
      await super.setRemoteDescription({ type: description.type, ...(sdp === undefined ? {} : { sdp }) });
    }
  };
}
