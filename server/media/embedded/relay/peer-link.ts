import { setTimeout as sleep } from 'node:timers/promises';
import { PeerConnection, type DataChannel } from 'node-datachannel';
import { contain } from '../../../faults/contain.js';
import { after, every } from '../../../faults/timers.js';
import { MediaError } from '../../engine/media-error.js';
import type { FedPacket } from '../producer/fed-source.js';
import type { SharedUdpSocket } from '../transport/webrtc-transport.js';
import { PacketMessages, readPackets } from './packet-messages.js';
import type { RelayMessage } from './relay-frames.js';
import type { RelayLink, RelayLinkListener, SendPacketOptions } from './relay-link.js';

export interface PeerLinkListener extends RelayLinkListener {
  /** Messages and packets can be sent. Called once, before all others. */
  onOpen(link: PeerLink): void;
}

/** The answer to an offer, and the link that opens when the other end has the answer. */
export interface AnsweredLink {
  readonly link: PeerLink;
  readonly answer: string;
}

/** In order and complete. */
const MESSAGES = 'messages';
/** A message that is lost is sent again for so long, and keeps no other waiting. */
const PACKETS = 'packets';
const PACKET_LIFETIME_MS = 500;
const MAX_BUFFERED_BYTES = 1 << 20;
const DRAINED_BYTES = 64 << 10;

const GATHER_TIMEOUT_MS = 5_000;
const POLL_MS = 1;
const OPEN_TIMEOUT_MS = 5_000;
const ALIVE_EVERY_MS = 1_000;
/** A server that is stopped or cut off says nothing. */
const SILENT_MS = 4_000;
/** As for peers, which use the same port. */
const MTU = 1_400;

/** A link is opening, then open, then closed, or closed at once. */
type LinkState =
  { readonly name: 'opening'; readonly giveUp: NodeJS.Timeout } | OpenState | { readonly name: 'closed' };

interface OpenState {
  readonly name: 'open';
  readonly messages: DataChannel;
  readonly packets: DataChannel;
  /** Tells the other end that this one lives, and looks whether it does. */
  readonly alive: NodeJS.Timeout;
  /** Of the monotonic clock, in ms. */
  heardAt: number;
  /** A packet was refused, because too many wait. */
  isFull: boolean;
}

/**
 * One end of a link between workers of two servers: data channels over ICE and DTLS, to the UDP port that peers use. Who
 * offers and who answers must be authenticated, and with them their descriptions: those have the fingerprints that DTLS
 * checks.
 */
export class PeerLink implements RelayLink {
  readonly #connection: PeerConnection;
  readonly #listener: PeerLinkListener;
  readonly #channels = new Map<string, DataChannel>();
  readonly #packets = new PacketMessages((message) => this.#act(({ packets }) => packets.sendMessageBinary(message)));
  #state: LinkState;

  /** @throws {MediaError} `engine_unavailable` */
  static async offer(
    { bindAddress }: Pick<SharedUdpSocket, 'bindAddress'>,
    listener: PeerLinkListener,
  ): Promise<{ readonly link: PeerLink; readonly offer: string }> {
    // A port of its own: libjuice tells the links of a shared port apart by the address and port of the other end, and
    // two links from one shared port to another one would be the same to it.
    const link = new PeerLink({ bindAddress }, listener);
    try {
      link.#use(link.#connection.createDataChannel(MESSAGES));
      const unreliable = { unordered: true, maxPacketLifeTime: PACKET_LIFETIME_MS };
      link.#use(link.#connection.createDataChannel(PACKETS, unreliable));
      // The side that offers has no candidates: it reaches the other side, which learns the address from the check.
      return { link, offer: splitCandidates(await link.#describe()).sdp };
    } catch (error) {
      link.close();
      throw error;
    }
  }

  /**
   * @param candidates of those that were gathered, what the other end is told
   * @throws {MediaError} `invalid_sdp`, `engine_unavailable`
   */
  static async answer(
    offer: string,
    socket: SharedUdpSocket,
    candidates: (gathered: readonly string[]) => readonly string[],
    listener: PeerLinkListener,
  ): Promise<AnsweredLink> {
    const link = new PeerLink(socket, listener);
    try {
      link.#connection.onDataChannel(link.#guarded((channel) => link.#use(channel)));
      link.#setRemote(offer, 'offer');
      const { sdp, candidates: gathered } = splitCandidates(await link.#describe());
      return {
        link,
        answer: [sdp.trimEnd(), ...candidates(gathered).map((candidate) => `a=${candidate}`), ''].join('\r\n'),
      };
    } catch (error) {
      link.close();
      throw error;
    }
  }

  private constructor(
    { bindAddress, udpPort }: Pick<SharedUdpSocket, 'bindAddress'> & Partial<SharedUdpSocket>,
    listener: PeerLinkListener,
  ) {
    this.#listener = listener;
    this.#connection = new PeerConnection('relay', {
      iceServers: [],
      ...(bindAddress === undefined ? {} : { bindAddress }),
      ...(udpPort === undefined ? {} : { enableIceUdpMux: true, portRangeBegin: udpPort, portRangeEnd: udpPort }),
      mtu: MTU,
    });
    this.#connection.onStateChange(
      this.#guarded((state) => {
        if (state === 'disconnected' || state === 'failed' || state === 'closed') this.#lose();
      }),
    );
    this.#state = { name: 'opening', giveUp: after('media', OPEN_TIMEOUT_MS, () => this.#lose()) };
  }

  /** The other end's answer to the offer. @throws {MediaError} `invalid_sdp` */
  accept(answer: string): void {
    const { sdp, candidates } = splitCandidates(answer);
    this.#setRemote(sdp, 'answer');
    // After the description: a check that comes before it would be of an unknown fingerprint.
    for (const candidate of candidates)
      if (/ udp /i.test(candidate)) this.#connection.addRemoteCandidate(candidate, '0');
  }

  send(message: RelayMessage): void {
    this.#act(({ messages }) => messages.sendMessage(JSON.stringify(message)));
  }

  sendPacket(source: number, encoding: number, packet: FedPacket, { moreFollow }: SendPacketOptions): boolean {
    const state = this.#state;
    if (state.name !== 'open') return true;
    if (state.packets.bufferedAmount() + this.#packets.bytes > MAX_BUFFERED_BYTES) {
      state.isFull = true;
      return false;
    }
    this.#packets.add(source, encoding, packet, moreFollow);
    return true;
  }

  close(): void {
    const before = this.#state;
    if (before.name === 'closed') return;
    this.#state = { name: 'closed' };
    if (before.name === 'opening') clearTimeout(before.giveUp);
    else clearInterval(before.alive);
    this.#packets.close();
    for (const channel of this.#channels.values()) channel.close();
    this.#connection.close();
  }

  #use(channel: DataChannel): void {
    this.#channels.set(channel.getLabel(), channel);
    channel.onOpen(this.#guarded(() => this.#onOpen()));
    channel.onClosed(this.#guarded(() => this.#lose()));
    channel.onMessage(this.#guarded((message) => this.#receive(channel, message)));
    if (channel.getLabel() === PACKETS) {
      channel.setBufferedAmountLowThreshold(DRAINED_BYTES);
      channel.onBufferedAmountLow(this.#guarded(() => this.#onDrain()));
    }
    // A channel that the other end opened is open already.
    this.#onOpen();
  }

  /** Opens the link when both channels are open. */
  #onOpen(): void {
    const [messages, packets] = [this.#channels.get(MESSAGES), this.#channels.get(PACKETS)];
    if (this.#state.name !== 'opening' || !messages?.isOpen() || !packets?.isOpen()) return;
    clearTimeout(this.#state.giveUp);
    const alive = every('media', ALIVE_EVERY_MS, () => {
      if (performance.now() - open.heardAt > SILENT_MS) this.#lose();
      else this.send({ type: 'alive' });
    });
    const open: OpenState = { name: 'open', messages, packets, alive, heardAt: performance.now(), isFull: false };
    this.#state = open;
    this.#listener.onOpen(this);
  }

  #onDrain(): void {
    if (this.#state.name !== 'open' || !this.#state.isFull) return;
    this.#state.isFull = false;
    this.#listener.onDrain();
  }

  #receive(channel: DataChannel, message: string | Buffer | ArrayBuffer): void {
    if (this.#isClosed) return;
    if (this.#state.name === 'open') this.#state.heardAt = performance.now();
    if (typeof message === 'string') {
      const read = JSON.parse(message) as RelayMessage;
      if (channel.getLabel() === MESSAGES && read.type !== 'alive') this.#listener.onMessage(read);
      return;
    }
    readPackets(Buffer.isBuffer(message) ? message : Buffer.from(message), (...packet) => {
      // What was read before can have closed the link.
      if (!this.#isClosed) this.#listener.onPacket(...packet);
    });
  }

  /** What the other end sends is not trusted more than what a peer sends: a fault ends this link alone. */
  #guarded<Args extends readonly unknown[]>(callback: (...args: Args) => void): (...args: Args) => void {
    return contain('media', callback, { onFault: () => this.#lose() });
  }

  async #describe(): Promise<string> {
    const giveUpAt = performance.now() + GATHER_TIMEOUT_MS;
    while (this.#connection.gatheringState() !== 'complete') {
      if (performance.now() > giveUpAt || this.#isClosed) {
        throw new MediaError('engine_unavailable', 'the link to another server found no address in time');
      }
      await sleep(POLL_MS);
    }
    const description = this.#connection.localDescription();
    if (!description) throw new MediaError('engine_unavailable', 'the link to another server did not start');
    return description.sdp;
  }

  #setRemote(sdp: string, type: 'offer' | 'answer'): void {
    try {
      this.#connection.setRemoteDescription(sdp, type);
    } catch (cause) {
      throw new MediaError('invalid_sdp', `the ${type} of another server cannot be used`, { cause });
    }
  }

  /** The library throws if the connection broke, and its callback has not run yet. */
  #act(action: (open: OpenState) => void): void {
    if (this.#state.name !== 'open') return;
    try {
      action(this.#state);
    } catch {
      this.#lose();
    }
  }

  get #isClosed(): boolean {
    return this.#state.name === 'closed';
  }

  #lose(): void {
    if (this.#isClosed) return;
    this.close();
    this.#listener.onClosed();
  }
}

function splitCandidates(sdp: string): { readonly sdp: string; readonly candidates: readonly string[] } {
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '');
  const candidates = lines.filter((line) => line.startsWith('a=candidate:')).map((line) => line.slice(2));
  const others = lines.filter((line) => !/^a=(candidate:|end-of-candidates)/.test(line));
  return { sdp: [...others, ''].join('\r\n'), candidates };
}
