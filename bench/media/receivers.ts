// The receivers of a rig, in a process of their own: viewers with real transports, or plain UDP sockets.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';
import { BrowserReports, offeringFeedback } from './browser-reports.js';
import { attempt, within } from '../crowds/misses.js';
import { delayOf } from './video-sender.js';

/** What all receivers together received since the last call of `collect`. */
export interface Received {
  readonly packets: number;
  /** The delay from the publisher to a receiver, in ms; 0 if no packet arrived. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number };
}

const BINS_PER_MS = 10;
const MOST_MS = 5_000;

const viewers: RtpPeer[] = [];
/** A histogram: the number of packets with this delay. */
const delays = new Uint32Array(MOST_MS * BINS_PER_MS);

function receive(packet: Buffer): void {
  const bin = Math.floor(delayOf(packet) * BINS_PER_MS);
  delays[Math.min(delays.length - 1, Math.max(0, bin))]!++;
}

async function openViewer(): Promise<RtpPeer> {
  const viewer = await RtpPeer.open({ role: 'viewer' });
  const reports = new BrowserReports((rtcp) => viewer.send(rtcp));
  viewer.onRtp = (packet) => {
    reports.receive(packet);
    receive(packet);
  };
  return viewer;
}

interface Answers {
  readonly first: number;
  readonly answers: readonly (string | null)[];
  readonly withinMs: number;
}

const handlers = {
  /** @returns the offers of that many more viewers, and the index of the first */
  async openViewers(count: number): Promise<{ first: number; offers: string[] }> {
    const opened = await Promise.all(Array.from({ length: count }, openViewer));
    const first = viewers.length;
    viewers.push(...opened);
    return { first, offers: opened.map(({ offer }) => offeringFeedback(offer)) };
  },
  /**
   * Applies the SDP answers, null where a viewer was refused.
   * @returns how many viewers are connected; the others are closed
   */
  async accept({ first, answers, withinMs }: Answers): Promise<number> {
    const connected = await Promise.all(
      answers.map(async (answer, index) => {
        const viewer = viewers[first + index]!;
        if (
          answer !== null &&
          !((await attempt(within(withinMs, viewer.accept({ answer }), 'ICE'))) instanceof Error)
        ) {
          return true;
        }
        viewer.close();
        return false;
      }),
    );
    return connected.filter(Boolean).length;
  },
  /** @returns their ports */
  async openSockets(count: number): Promise<number[]> {
    const ports: number[] = [];
    for (let opened = 0; opened < count; opened++) {
      const socket = createSocket('udp4');
      socket.on('message', receive);
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      ports.push(socket.address().port);
    }
    return ports;
  },
  collect(): Received {
    const packets = delays.reduce((sum, count) => sum + count, 0);
    const atMost = (share: number) => {
      let seen = 0;
      const bin = delays.findIndex((count) => (seen += count) >= share * packets);
      return (bin + 1) / BINS_PER_MS;
    };
    const received = { packets, delay: { p50: atMost(0.5), p99: atMost(0.99), max: atMost(1) } };
    delays.fill(0);
    return received;
  },
} satisfies Handlers;

export type Receivers = typeof handlers;

handleCalls(handlers);
