import type { Page } from 'playwright';
import { LossyNetwork } from '../../test/support/media/lossy-network.js';
import { FarTcp } from './delayed-tcp.js';

declare global {
  interface Window {
    farPort(port: number): Promise<number>;
  }
}

/** A network between pages and servers that is nothing but long. What a page is to reach by it, it must be told so. */
export class DelayedNetwork {
  readonly #delayMs: number;
  readonly #tcp: FarTcp[] = [];
  readonly #udp = new Map<number, Promise<LossyNetwork>>();
  /** Those that pages need not ask for. */
  readonly #known: Record<number, number> = {};

  constructor(roundTripMs: number) {
    this.#delayMs = roundTripMs / 2;
  }

  /** The address by which an origin of this machine is far away. */
  async origin(near: string): Promise<string> {
    const way = await FarTcp.open(Number(new URL(near).port), this.#delayMs);
    this.#tcp.push(way);
    return `http://127.0.0.1:${way.port}`;
  }

  /** From now on the page's media takes the long way, too: in each answer the addresses are those of relays. */
  async carryMedia(page: Page): Promise<void> {
    await page.exposeFunction('farPort', (port: number) => this.#farPort(port));
    await page.addInitScript(replaceAddresses, this.#known);
  }

  async close(): Promise<void> {
    for (const way of this.#tcp) way.close();
    for (const relay of this.#udp.values()) (await relay).close();
  }

  async #farPort(target: number): Promise<number> {
    const way = { delay: this.#delayMs };
    const relay = this.#udp.get(target) ?? LossyNetwork.open({ target, up: way, down: way });
    this.#udp.set(target, relay);
    return (this.#known[target] = (await relay).port);
  }
}

/** Runs in the page. One candidate is left: with another the page would find a shorter way. */
function replaceAddresses(known: Readonly<Record<number, number>>): void {
  window.RTCPeerConnection = class extends RTCPeerConnection {
    override async setRemoteDescription({ type, sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
      const candidate = /^a=candidate:\S+ 1 udp \d+ \S+ (\d+) typ host.*\r\n/im;
      const port = Number(candidate.exec(sdp)?.[1]);
      const far = `a=candidate:far 1 UDP 1 127.0.0.1 ${known[port] ?? (await window.farPort(port))} typ host\r\n`;
      const heard = sdp.replace(candidate, far).replaceAll(/^a=candidate:(?!far).*\r\n/gm, '');
      await super.setRemoteDescription({ type, sdp: heard });
    }
  };
}
