import { receiverReport } from '../../../server/media/embedded/rtcp/rtcp.js';
import { PAYLOAD_TYPES } from '../media/offer.js';
import { VP8_PICTURE } from '../media/rtp.js';
import type { RtpPeer } from '../media/rtp-peer.js';
import type { TestClient } from '../stream-server.js';
import { ReconnectingClient, type ClientOptions } from './reconnecting-client.js';

const FRAME_MS = 100;
/** How long packets of a broadcast may be on their way after another one began, in ms. A busy machine takes its time. */
const ON_THE_WAY_MS = 250;
/** After this long without media, a viewer looks for another server. */
const SILENCE_MS = 4_000;
const REPORT_MS = 500;

interface Seen {
  readonly streamName: string;
  readonly firstAt: number;
  lastAt: number;
}

/** What all viewers together received of each broadcast. Each publisher's session is a broadcast with its own number. */
export class BroadcastLog {
  readonly #seen = new Map<number, Seen>();
  #lastNumber = 0;

  next(): number {
    return (this.#lastNumber += 1);
  }

  received(streamName: string, number: number): void {
    const now = performance.now();
    const seen = this.#seen.get(number);
    if (seen) seen.lastAt = now;
    else this.#seen.set(number, { streamName, firstAt: now, lastAt: now });
  }

  /** The number of broadcasts that viewers received. */
  get count(): number {
    return this.#seen.size;
  }

  /** Broadcasts of one name that viewers received at the same time. */
  overlaps(): string[] {
    const seen = [...this.#seen].toSorted(([one], [other]) => one - other);
    return seen.flatMap(([number, { streamName, lastAt }]) =>
      seen
        .filter(([later, other]) => later > number && other.streamName === streamName)
        .filter(([, { firstAt }]) => lastAt > firstAt + ON_THE_WAY_MS)
        .map(
          ([later, { firstAt }]) => `${streamName}: ${number} until ${Math.round(lastAt - firstAt)} ms after ${later}`,
        ),
    );
  }
}

/** Tries to broadcast a name whenever it is free. Its packets have the number of the broadcast. */
export class Broadcaster extends ReconnectingClient {
  readonly #log: BroadcastLog;
  #number = 0;

  constructor(options: ClientOptions, log: BroadcastLog) {
    super('publisher', options);
    this.#log = log;
  }

  protected async begin(client: TestClient, peer: RtpPeer) {
    const { streamName } = this.options;
    const answer = await client.command('publish', { name: streamName, sdp: peer.offer, codec: 'vp8' });
    this.#number = this.#log.next();
    return answer;
  }

  protected flow(peer: RtpPeer): () => void {
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(this.#number);
    return peer.sendEvery(FRAME_MS, () => peer.sendFrame({ picture: VP8_PICTURE, intervalMs: FRAME_MS, tail }));
  }
}

/** Watches a stream wherever it is. */
export class Watcher extends ReconnectingClient {
  /** How many packets of video it has received. */
  packets = 0;
  #lastPacketAt = -Infinity;
  readonly #log: BroadcastLog;

  constructor(options: ClientOptions, log: BroadcastLog) {
    super('viewer', options);
    this.#log = log;
  }

  protected async begin(client: TestClient, peer: RtpPeer) {
    peer.onRtp = (packet) => this.#received(packet);
    return await client.command('view', { streamId: this.options.streamName, sdp: peer.offer });
  }

  protected flow(peer: RtpPeer): () => void {
    const began = performance.now();
    // A viewer that sends no reports is not counted.
    const stopReports = peer.sendEvery(REPORT_MS, () => peer.send(receiverReport(1, [])));
    const timer = setInterval(() => {
      if (performance.now() - Math.max(began, this.#lastPacketAt) > SILENCE_MS) this.leave();
    }, REPORT_MS);
    return () => {
      stopReports();
      clearInterval(timer);
    };
  }

  #received(packet: Buffer): void {
    const isPadding = (packet[0]! & 0x20) !== 0;
    if (isPadding || (packet[1]! & 0x7f) !== PAYLOAD_TYPES.vp8) return;
    this.packets += 1;
    this.#lastPacketAt = performance.now();
    this.#log.received(this.options.streamName, packet.readUInt32BE(packet.length - 4));
  }
}
