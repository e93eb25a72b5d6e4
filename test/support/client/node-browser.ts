import { setMaxListeners } from 'node:events';
import type { TestContext } from 'node:test';
import { readRtcp, receiverReport } from '../../../server/media/embedded/rtcp/rtcp.js';
import type { TrackKind } from '../../../server/media/engine/media-track.js';
import { PAYLOAD_TYPES } from '../media/offer.js';
import { RtpPeer } from '../media/rtp-peer.js';
import { VP8_PICTURE } from '../media/rtp.js';

const FRAME_MS = 100;
const REPORT_MS = 500;

/** What a connection of Node shows of itself in `getStats()`, beside what the client reads. */
export interface NodeStats {
  readonly type: string;
  /** The connection, counted from 1. */
  readonly connection: number;
  readonly packetsReceived: number;
  /** The number in the last picture. */
  readonly number: number | undefined;
}

/**
 * What the headless clients need of a browser, for Node: real ICE, DTLS and SRTP, and no codecs. Viewers count pictures;
 * broadcasters send small ones with a number.
 */
export class NodeBrowser {
  /** Changes the answers of the server, as a network between them does. */
  changeAnswer: (sdp: string) => string = (sdp) => sdp;
  readonly #events = new EventTarget();
  readonly #peers = new Set<NodePeerConnection>();
  #count = 0;

  /**
   * Lets clients run in this process until the test ends.
   * @param clockRate how many times faster than the clock the clients' timers run
   */
  static open(t: Pick<TestContext, 'after'>, { clockRate = 1 } = {}): NodeBrowser {
    const browser = new NodeBrowser();
    browser.#install(t, clockRate);
    return browser;
  }

  #install(t: Pick<TestContext, 'after'>, clockRate: number): void {
    // Each client listens.
    setMaxListeners(0, this.#events);
    const { setTimeout } = globalThis;
    const openPeer = (): NodePeerConnection => {
      const peer = new NodePeerConnection(this, (this.#count += 1));
      this.#peers.add(peer);
      return peer;
    };
    Object.assign(globalThis, {
      MediaStream: NodeMedia,
      RTCPeerConnection: function () {
        return openPeer();
      },
      addEventListener: this.#events.addEventListener.bind(this.#events),
    });
    if (clockRate !== 1) {
      globalThis.setTimeout = ((run: () => void, ms = 0, ...args: []) =>
        setTimeout(run, ms / clockRate, ...args)) as typeof setTimeout;
    }
    t.after(() => {
      globalThis.setTimeout = setTimeout;
      for (const name of ['MediaStream', 'RTCPeerConnection', 'addEventListener'])
        Reflect.deleteProperty(globalThis, name);
      for (const peer of this.#peers) peer.close();
    });
  }

  /** As when a machine has another network. */
  goOnline(): void {
    this.#events.dispatchEvent(new Event('online'));
  }
}

/** A camera and a microphone. @param number shown in the picture */
export function nodeCamera(number: number): MediaStream {
  return new NodeMedia([
    { kind: 'video', number, getSettings: () => ({ width: 64, height: 64 }) },
    { kind: 'audio' },
  ]) as object as MediaStream;
}

interface NodeTrack {
  readonly kind: TrackKind;
  readonly number?: number;
  readonly getSettings?: () => object;
}

class NodeMedia {
  readonly #tracks: Set<NodeTrack>;

  constructor(tracks: readonly NodeTrack[] = []) {
    this.#tracks = new Set(tracks);
  }

  getTracks(): NodeTrack[] {
    return [...this.#tracks];
  }

  getVideoTracks(): NodeTrack[] {
    return this.getTracks().filter(({ kind }) => kind === 'video');
  }

  addTrack(track: NodeTrack): void {
    this.#tracks.add(track);
  }

  removeTrack(track: NodeTrack): void {
    this.#tracks.delete(track);
  }
}

/** What the client uses of an RTCPeerConnection. */
class NodePeerConnection extends EventTarget {
  connectionState: RTCPeerConnectionState = 'new';
  signalingState: RTCSignalingState = 'stable';
  remoteDescription: object | null = null;
  onsignalingstatechange: () => void = () => {};
  readonly #browser: NodeBrowser;
  readonly #connection: number;
  readonly #tracks: NodeTrack[] = [];
  #sends = false;
  /** Of the last offer, until it is connected. */
  #next: RtpPeer | undefined;
  #current: RtpPeer | undefined;
  #stopFlow: () => void = () => {};
  #packetsReceived = 0;
  #number: number | undefined;
  #reportedAt = 0;

  constructor(browser: NodeBrowser, connection: number) {
    super();
    this.#browser = browser;
    this.#connection = connection;
  }

  addTransceiver(track: TrackKind | NodeTrack, { direction }: RTCRtpTransceiverInit): object {
    this.#sends = direction === 'sendonly';
    this.#tracks.push(typeof track === 'string' ? { kind: track } : track);
    return {};
  }

  getTransceivers(): object[] {
    return this.#tracks.map((_, index) => ({ mid: String(index) }));
  }

  getReceivers(): object[] {
    return this.#tracks.map((track) => ({ track: Object.assign(new EventTarget(), track, { muted: false }) }));
  }

  getSenders(): object[] {
    return this.#tracks.map((track) => ({ track, getParameters: () => ({ encodings: [] }) }));
  }

  getConfiguration(): object {
    return {};
  }

  setConfiguration(): void {}

  restartIce(): void {}

  async createOffer(): Promise<RTCSessionDescriptionInit> {
    this.#next?.close();
    this.#next = await RtpPeer.open({
      role: this.#sends ? 'publisher' : 'viewer',
      kinds: this.#tracks.map(({ kind }) => kind),
    });
    if (this.signalingState === 'closed') this.#next.close();
    return { type: 'offer', sdp: this.#next.offer };
  }

  async setLocalDescription({ type }: RTCSessionDescriptionInit): Promise<void> {
    this.#signal(type === 'offer' ? 'have-local-offer' : 'stable');
  }

  async setRemoteDescription({ sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
    const next = this.#next!;
    this.remoteDescription = { sdp };
    this.#signal('stable');
    if (!this.#current) this.#become('connecting');
    void this.#connect(next, this.#browser.changeAnswer(sdp));
  }

  async getStats(): Promise<Map<string, NodeStats & { readonly timestamp: number }>> {
    const [type, timestamp] = this.#sends
      ? ['remote-inbound-rtp', this.#reportedAt]
      : ['inbound-rtp', performance.now()];
    const { number, packetsReceived, connection } = {
      number: this.#number,
      packetsReceived: this.#packetsReceived,
      connection: this.#connection,
    };
    return new Map([['media', { type, timestamp, number, packetsReceived, connection }]]);
  }

  close(): void {
    if (this.signalingState === 'closed') return;
    this.signalingState = this.connectionState = 'closed';
    this.#stopFlow();
    this.#next?.close();
    this.#current?.close();
  }

  async #connect(peer: RtpPeer, answer: string): Promise<void> {
    await peer.accept({ answer });
    if (this.signalingState === 'closed' || peer !== this.#next) return;
    this.#stopFlow();
    this.#current?.close();
    this.#current = peer;
    this.#next = undefined;
    this.#stopFlow = this.#sends ? this.#sendPictures(peer) : this.#receive(peer);
    this.#become('connected');
  }

  #sendPictures(peer: RtpPeer): () => void {
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(this.#tracks.find(({ number }) => number !== undefined)?.number ?? 0);
    peer.onRtcp = (packet) => {
      const isHeard = readRtcp(packet).some((message) => message.type === 'receiver-report' && message.reports.length);
      if (isHeard) this.#reportedAt = performance.now();
    };
    return peer.sendEvery(FRAME_MS, () => peer.sendFrame({ picture: VP8_PICTURE, intervalMs: FRAME_MS, tail }));
  }

  #receive(peer: RtpPeer): () => void {
    peer.onRtp = (packet) => {
      this.#packetsReceived += 1;
      const isPadding = (packet[0]! & 0x20) !== 0;
      if (!isPadding && (packet[1]! & 0x7f) === PAYLOAD_TYPES.vp8)
        this.#number = packet.readUInt32BE(packet.length - 4);
    };
    // A viewer that sends no reports is not counted.
    return peer.sendEvery(REPORT_MS, () => peer.send(receiverReport(1, [])));
  }

  #signal(state: RTCSignalingState): void {
    if (this.signalingState === 'closed') return;
    this.signalingState = state;
    this.onsignalingstatechange();
  }

  #become(state: RTCPeerConnectionState): void {
    if (this.connectionState === state) return;
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
}
