// The receivers of a rig, in a process of their own: viewers with real transports, or plain UDP sockets.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { payloadType, sequenceNumber } from '../../server/media/embedded/rtp/packet.js';
import { PAYLOAD_TYPES } from '../../test/support/media/offer.js';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';
import { BrowserReports, offeringFeedback } from './browser-reports.js';
import { attempt, within } from '../crowds/misses.js';
import { DelayHistogram, type DelayCounts } from './delay-histogram.js';
import { sentAt } from './video-sender.js';

/** What all receivers together received of what was sent since the last call of `begin`. */
export interface Received {
  /** From the publisher to a receiver. Without packets that a receiver already had, and without RTX. */
  readonly delays: DelayCounts;
}

const viewers: RtpPeer[] = [];
const receptions: Reception[] = [];
const delays = new DelayHistogram();
let began = process.hrtime.bigint();

/** What one receiver received since `begin`: less than one round of sequence numbers. */
class Reception {
  readonly #seen = new Uint8Array(0x10000);

  begin(): void {
    this.#seen.fill(0);
  }

  receive(packet: Buffer): void {
    const sent = sentAt(packet);
    const number = sequenceNumber(packet);
    if (sent < began || this.#seen[number]) return;
    this.#seen[number] = 1;
    delays.add(Number(process.hrtime.bigint() - sent) / 1e6);
  }
}

function openReception(): Reception {
  const reception = new Reception();
  receptions.push(reception);
  return reception;
}

async function openViewer(address: string, serverAddress: string): Promise<RtpPeer> {
  const viewer = await RtpPeer.open({ role: 'viewer', address, serverAddress, retransmissions: true });
  const reports = new BrowserReports((rtcp) => viewer.send(rtcp));
  const reception = openReception();
  viewer.onRtp = (packet) => {
    const isMedia = payloadType(packet) === PAYLOAD_TYPES.vp8;
    reports.receive(packet, isMedia);
    if (isMedia) reception.receive(packet);
  };
  return viewer;
}

interface Addresses {
  /** Of the receivers, one for each. */
  readonly addresses: readonly string[];
  readonly serverAddress: string;
}

interface Answers {
  readonly first: number;
  readonly answers: readonly (string | null)[];
  readonly withinMs: number;
}

const handlers = {
  /** @returns the offers of further viewers, and the index of the first */
  async openViewers({ addresses, serverAddress }: Addresses): Promise<{ first: number; offers: string[] }> {
    const opened = await Promise.all(addresses.map((address) => openViewer(address, serverAddress)));
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
  async openSockets(addresses: readonly string[]): Promise<number[]> {
    const ports: number[] = [];
    for (const address of addresses) {
      const socket = createSocket('udp4');
      const reception = openReception();
      socket.on('message', (packet) => reception.receive(packet));
      socket.bind(0, address);
      await once(socket, 'listening');
      ports.push(socket.address().port);
    }
    return ports;
  },
  begin(): void {
    delays.clear();
    for (const reception of receptions) reception.begin();
    began = process.hrtime.bigint();
  },
  collect(): Received {
    return { delays: delays.counts() };
  },
} satisfies Handlers;

export type Receivers = typeof handlers;

handleCalls(handlers);
