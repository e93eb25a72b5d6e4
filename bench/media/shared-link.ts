// A viewer and a download behind one link, in a process of their own, which may be in another network namespace.
import { connect, type Socket } from 'node:net';
import { payloadType, sequenceNumber } from '../../server/media/embedded/rtp/packet.js';
import { PAYLOAD_TYPES } from '../../test/support/media/offer.js';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';
import { percentile } from '../support/percentile.js';
import { BrowserReceiver } from './browser-receiver.js';
import { BrowserReports, offeringFeedback } from './browser-reports.js';
import { delayOf } from './video-sender.js';

const TICK_MS = 50;

/** What arrived since the last call of `collect`. */
export interface Arrived {
  /** Of sound and video, with what was sent again. */
  readonly mediaBytes: number;
  readonly downloadBytes: number;
  readonly frames: number;
  readonly soundPackets: number;
  readonly soundMissing: number;
  /** Of sound, in ms. */
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
}

let [mediaBytes, downloadBytes, framesBefore, soundPackets, soundMissing] = [0, 0, 0, 0, 0];
let delays: number[] = [];
let soundBefore: number | undefined;
let peer: RtpPeer;
let receiver: BrowserReceiver;
let download: Socket | undefined;

function receiveSound(packet: Buffer): void {
  soundPackets++;
  delays.push(delayOf(packet));
  const sequence = sequenceNumber(packet);
  if (soundBefore !== undefined) soundMissing += (sequence - soundBefore - 1) & 0xffff;
  soundBefore = sequence;
}

const handlers = {
  /** @returns the viewer's offer */
  async open({ address, serverAddress }: { address: string; serverAddress: string }): Promise<string> {
    peer = await RtpPeer.open({ role: 'viewer', address, serverAddress, retransmissions: true });
    const send = (rtcp: Buffer) => void (peer.isOpen && peer.send(rtcp));
    const reports = new BrowserReports(send);
    receiver = new BrowserReceiver(send);
    peer.onRtp = (packet) => {
      mediaBytes += packet.length;
      const type = payloadType(packet);
      reports.receive(packet, type === PAYLOAD_TYPES.vp8);
      if (type === PAYLOAD_TYPES.opus) receiveSound(packet);
      else receiver.receive(packet, performance.now());
    };
    setInterval(() => receiver.tick(performance.now()), TICK_MS);
    return offeringFeedback(peer.offer);
  },
  accept: async (answer: string): Promise<void> => await peer.accept({ answer }),
  /** Begins a download that never ends. */
  download({ address, port }: { address: string; port: number }): void {
    download = connect(port, address);
    download.on('data', (chunk) => (downloadBytes += chunk.length));
  },
  endDownload(): void {
    download?.destroy();
  },
  collect(): Arrived {
    const frames = receiver.frames - framesBefore;
    const [delayP50Ms, delayP99Ms] = [percentile(delays, 50), percentile(delays, 99)];
    const arrived = { mediaBytes, downloadBytes, frames, soundPackets, soundMissing, delayP50Ms, delayP99Ms };
    framesBefore = receiver.frames;
    [mediaBytes, downloadBytes, soundPackets, soundMissing] = [0, 0, 0, 0];
    delays = [];
    return arrived;
  },
} satisfies Handlers;

export type SharedLink = typeof handlers;

handleCalls(handlers);
