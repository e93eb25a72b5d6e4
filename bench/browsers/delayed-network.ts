import type { Page } from 'playwright';
import { LossyNetwork } from '../../test/support/media/lossy-network.js';
import { DelayedTcp } from './delayed-tcp.js';

declare global {
  interface Window {
    relayPort(port: number): Promise<number>;
  }
}

/** A network between pages and servers that delays everything and loses nothing. Only its own addresses go through it. */
export class DelayedNetwork {
  readonly #delayMs: number;
  readonly #tcp: DelayedTcp[] = [];
  readonly #udp = new Map<number, Promise<LossyNetwork>>();
  /** The ports of open relays, by the port of the server. A new page gets them at its start. */
  readonly #known: Record<number, number> = {};

  constructor(roundTripMs: number) {
    this.#delayMs = roundTripMs / 2;
  }

  /** Returns an origin that leads to an origin of this machine through the network. */
  async origin(target: string): Promise<string> {
    const relay = await DelayedTcp.open(Number(new URL(target).port), this.#delayMs);
    this.#tcp.push(relay);
    return `http://127.0.0.1:${relay.port}`;
  }

  /** Sends the page's media through the network, too: the candidates in each SDP answer are replaced by relays. */
  async carryMedia(page: Page): Promise<void> {
    await page.exposeFunction('relayPort', (port: number) => this.#relayPort(port));
    await page.addInitScript(replaceAddresses, this.#known);
  }

  async close(): Promise<void> {
    for (const relay of this.#tcp) relay.close();
    for (const relay of this.#udp.values()) (await relay).close();
  }

  async #relayPort(target: number): Promise<number> {
    const direction = { delay: this.#delayMs };
    const relay = this.#udp.get(target) ?? LossyNetwork.open({ target, up: direction, down: direction });
    this.#udp.set(target, relay);
    return (this.#known[target] = (await relay).port);
  }
}

/** Runs in the page. Leaves one candidate: with a second one, ICE would choose a path without the delay. */
function replaceAddresses(known: Readonly<Record<number, number>>): void {
  window.RTCPeerConnection = class extends RTCPeerConnection {
    override async setRemoteDescription({ type, sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
      const candidate = /^a=candidate:\S+ 1 udp \d+ \S+ (\d+) typ host.*\r\n/im;
      const port = Number(candidate.exec(sdp)?.[1]);
      const relay = `a=candidate:relay 1 UDP 1 127.0.0.1 ${known[port] ?? (await window.relayPort(port))} typ host\r\n`;
      const delayed = sdp.replace(candidate, relay).replaceAll(/^a=candidate:(?!relay).*\r\n/gm, '');
      await super.setRemoteDescription({ type, sdp: delayed });
    }
  };
}
