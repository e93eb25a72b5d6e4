import { PeerConnection, Video, type Track } from 'node-datachannel';
import { MediaError } from '../../media-engine.js';
import type { LocalTransportParameters } from '../sdp/answer.js';
import type { IceParameters } from '../sdp/offer.js';

/** The socket that every transport of a process shares. */
export interface SharedUdpSocket {
  /** `undefined`: all interfaces. */
  readonly bindAddress: string | undefined;
  readonly udpPort: number;
}

/** Where packets go. It copies what it is given, and says false when it could not send. */
export interface PacketSink {
  send(packet: Buffer): boolean;
}

export interface TransportListener {
  /** The handshake is done: packets pass. */
  onOpen(): void;
  /** RTP or RTCP, decrypted and authenticated, not checked in any other way. The buffer is the listener's to keep. */
  onPacket(packet: Buffer): void;
  /** The peer closed, fell silent or never came. Said once, and never after `close()`. */
  onLost(): void;
}

const GATHER_WITHIN_MS = 5_000;
/** A peer that has its answer needs a few round trips. */
const CONNECT_WITHIN_MS = 30_000;
const CLOSE_WITHIN_MS = 1_000;
/** Leaves room for SRTP's tag and what tunnels take. */
const MTU = 1_400;

let opened = 0;

/**
 * One peer connection of libdatachannel, used as a pipe: ICE, DTLS and SRTP are its work, all SDP but what
 * `pipeOffer` holds, RTP and RTCP are ours. It asks for no callback that it can do without: the event loop looks at
 * those of all peers whenever a packet of one comes in.
 */
export class WebRtcTransport implements PacketSink {
  readonly local: LocalTransportParameters;
  readonly #connection: PeerConnection;
  readonly #connectTimer: NodeJS.Timeout;
  readonly #track: Track;
  #open = false;
  #over = false;
  #markClosed: () => void = () => {};
  readonly #closed = new Promise<void>((resolve) => (this.#markClosed = resolve));

  /** @throws {MediaError} `invalid_sdp` when libdatachannel finds fault with the peer's ICE or DTLS values */
  static async open(
    remote: IceParameters,
    socket: SharedUdpSocket,
    listener: TransportListener,
  ): Promise<WebRtcTransport> {
    const connection = new PeerConnection(`peer-${++opened}`, {
      iceServers: [],
      ...(socket.bindAddress === undefined ? {} : { bindAddress: socket.bindAddress }),
      enableIceUdpMux: true,
      portRangeBegin: socket.udpPort,
      portRangeEnd: socket.udpPort,
      forceMediaTransport: true,
      mtu: MTU,
    });
    const track = connection.addTrack(pipeTrack());
    // Only what was asked to tell of its end is let go of there, and ends the process's wait for it.
    connection.onStateChange(() => {});
    track.onClosed(() => {});
    try {
      takeOffer(connection, remote);
      if (connection.gatheringState() !== 'complete') await gathered(connection);
      const description = connection.localDescription();
      if (!description) throw new MediaError('engine_unavailable', 'the media transport did not start');
      return new WebRtcTransport(connection, track, localTransport(description.sdp), listener);
    } catch (error) {
      track.close();
      connection.close();
      throw error;
    }
  }

  private constructor(
    connection: PeerConnection,
    track: Track,
    local: LocalTransportParameters,
    listener: TransportListener,
  ) {
    this.#connection = connection;
    this.#track = track;
    this.local = local;
    const lose = () => {
      if (this.#over) return;
      this.close();
      listener.onLost();
    };
    this.#connectTimer = setTimeout(lose, CONNECT_WITHIN_MS);
    connection.onStateChange((state) => {
      if (state === 'closed') this.#markClosed();
      if (state === 'disconnected' || state === 'failed' || state === 'closed') lose();
    });
    track.onMessage((packet) => {
      if (!this.#over) listener.onPacket(packet);
    });
    track.onOpen(() => {
      if (this.#over) return;
      this.#open = true;
      clearTimeout(this.#connectTimer);
      listener.onOpen();
    });
    track.onClosed(lose);
  }

  /** Encrypts and sends at once, copying: the caller may change the packet when it returns. False when it could not. */
  send(packet: Buffer): boolean {
    if (!this.#open) return false;
    try {
      return this.#track.sendMessageBinary(packet);
    } catch {
      // It closed and we have not been told yet.
      return false;
    }
  }

  /**
   * Lets go. libdatachannel 0.24.5 ends without a DTLS alert, so the peer hears nothing of it: whoever carries the
   * answer must say so too.
   */
  close(): Promise<void> {
    if (!this.#over) {
      this.#over = true;
      this.#open = false;
      clearTimeout(this.#connectTimer);
      const giveUp = setTimeout(this.#markClosed, CLOSE_WITHIN_MS);
      void this.#closed.then(() => clearTimeout(giveUp));
      // The track too: what it calls back with keeps the process alive until its wrapper is collected.
      this.#track.close();
      this.#connection.close();
    }
    return this.#closed;
  }
}

/** @throws {MediaError} `invalid_sdp` */
function takeOffer(connection: PeerConnection, remote: IceParameters): void {
  try {
    connection.setRemoteDescription(pipeOffer(remote), 'offer');
  } catch (cause) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: its ICE or DTLS values', { cause });
  }
}

/** The machine's own addresses are known at once, as a rule. */
async function gathered(connection: PeerConnection): Promise<void> {
  let giveUp: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      giveUp = setTimeout(
        () => reject(new MediaError('engine_unavailable', 'the media transport found no address in time')),
        GATHER_WITHIN_MS,
      );
      connection.onGatheringStateChange((state) => state === 'complete' && resolve());
      // It may have become so meanwhile.
      if (connection.gatheringState() === 'complete') resolve();
    });
  } finally {
    clearTimeout(giveUp);
  }
}

/** The m-line of `pipeOffer`, as ours. */
function pipeTrack(): Video {
  const video = new Video('0', 'SendRecv');
  video.addVP8Codec(96);
  return video;
}

/**
 * What libdatachannel is told of the peer's offer: with one m-line it hands over every packet that arrives, with
 * more it looks for declared SSRCs. No candidates: we answer who reaches us, and send nothing to an address that
 * only an offer names. A peer that leaves the DTLS roles to us becomes the server: libdatachannel lets go of what
 * comes before its own connectivity check was answered, which it sends 50 ms late, and so of a browser's first hello.
 */
function pipeOffer(remote: IceParameters): string {
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:96 VP8/90000',
    `a=ice-ufrag:${remote.usernameFragment}`,
    `a=ice-pwd:${remote.password}`,
    `a=fingerprint:${remote.fingerprint}`,
    `a=setup:${remote.setup === 'active' ? 'active' : 'passive'}`,
    '',
  ].join('\r\n');
}

function localTransport(sdp: string): LocalTransportParameters {
  const values = new Map<string, string>();
  const candidates: string[] = [];
  for (const line of sdp.split(/\r?\n/)) {
    const [, name, value] = /^a=([^:]+):(.*)$/.exec(line) ?? [];
    if (name === 'candidate') candidates.push(`candidate:${value}`);
    else if (name !== undefined) values.set(name, value!);
  }
  return {
    usernameFragment: values.get('ice-ufrag') ?? '',
    password: values.get('ice-pwd') ?? '',
    fingerprint: values.get('fingerprint') ?? '',
    setup: values.get('setup') === 'active' ? 'active' : 'passive',
    candidates,
  };
}
