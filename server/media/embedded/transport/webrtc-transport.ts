import { setTimeout as sleep } from 'node:timers/promises';
import { PeerConnection, Video, type Track } from 'node-datachannel';
import { contain } from '../../../faults/contain.js';
import { after } from '../../../faults/timers.js';
import { MediaError } from '../../engine/media-error.js';
import type { LocalTransportParameters } from '../../sdp/answer.js';
import type { IceParameters } from '../../sdp/offer.js';

/** The UDP port that all transports of a process share. */
export interface SharedUdpSocket {
  /** `undefined`: all interfaces. */
  readonly bindAddress: string | undefined;
  readonly udpPort: number;
}

/** Sends packets. `send` copies the packet, and returns false if it could not be sent. */
export interface PacketSink {
  send(packet: Buffer): boolean;
}

export interface TransportListener {
  /** The DTLS handshake is done, and packets can be sent. */
  onOpen(): void;
  /** RTP or RTCP, decrypted and authenticated, not validated in any other way. The listener may keep the buffer. */
  onPacket(packet: Buffer): void;
  /** The peer closed two seconds ago, timed out or never connected. Called once, and never after `close()`. */
  onLost(): void;
}

const GATHER_TIMEOUT_MS = 5_000;
/** Between two looks at a state of the library that has no callback here. */
const POLL_MS = 1;
/** A peer with an answer connects within a few round trips. */
const CONNECT_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 1_000;
/**
 * A browser that leaves closes its media before its websocket, or deletes its resource after that. How it does so says
 * whether the broadcast has ended or goes on after a reload of the page, so that is waited for.
 */
const LEAVE_WITHIN_MS = 2_000;
/** Leaves room for the SRTP tag and for tunnels. */
const MTU = 1_400;

/**
 * One peer connection of libdatachannel, which does ICE, DTLS and SRTP. SDP (except `pipeOffer`), RTP and RTCP are done
 * by our code. It registers as few callbacks as possible: with each packet that arrives, the event loop checks the
 * callbacks of all peers, and a callback stays for as long as its peer.
 */
export class WebRtcTransport implements PacketSink {
  readonly local: LocalTransportParameters;
  readonly #connection: PeerConnection;
  readonly #connectTimer: NodeJS.Timeout;
  readonly #track: Track;
  #isOpen = false;
  #isClosed = false;
  #resolveClosed: () => void = () => {};
  readonly #closed = new Promise<void>((resolve) => (this.#resolveClosed = resolve));

  /** @throws {MediaError} `invalid_sdp` if libdatachannel rejects the peer's ICE or DTLS values */
  static async open(
    remote: IceParameters,
    socket: SharedUdpSocket,
    listener: TransportListener,
  ): Promise<WebRtcTransport> {
    const connection = new PeerConnection('peer', {
      iceServers: [],
      ...(socket.bindAddress === undefined ? {} : { bindAddress: socket.bindAddress }),
      enableIceUdpMux: true,
      portRangeBegin: socket.udpPort,
      portRangeEnd: socket.udpPort,
      forceMediaTransport: true,
      mtu: MTU,
    });
    const track = connection.addTrack(pipeTrack());
    // node-datachannel releases an object only if these callbacks are set. Without them the process does not exit.
    connection.onStateChange(() => {});
    track.onClosed(() => {});
    try {
      applyOffer(connection, remote);
      await gathered(connection);
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
      if (this.#isClosed) return;
      this.close();
      listener.onLost();
    };
    const leave = () => void after('media', LEAVE_WITHIN_MS, lose).unref();
    /** A fault of ours in a callback of the library ends this peer alone. */
    const guarded = <Args extends readonly unknown[]>(callback: (...args: Args) => void) =>
      contain('media', callback, { onFault: lose });
    this.#connectTimer = after('media', CONNECT_TIMEOUT_MS, lose);
    const open = guarded(() => {
      if (this.#isClosed || this.#isOpen) return;
      // The library opens the track right after the change of state.
      if (!track.isOpen()) return void after('media', POLL_MS, open);
      this.#isOpen = true;
      clearTimeout(this.#connectTimer);
      listener.onOpen();
    });
    connection.onStateChange(
      guarded((state) => {
        if (state === 'connected') open();
        if (state === 'closed') this.#resolveClosed();
        // Also after the library has waited for a silent peer for much longer.
        if (state === 'disconnected' || state === 'closed') leave();
        if (state === 'failed') lose();
      }),
    );
    track.onMessage(
      guarded((packet) => {
        if (!this.#isClosed) listener.onPacket(packet);
      }),
    );
    track.onClosed(guarded(leave));
  }

  /** Encrypts and sends a copy at once: the caller may reuse the buffer. False if it could not be sent. */
  send(packet: Buffer): boolean {
    if (!this.#isOpen) return false;
    try {
      return this.#track.sendMessageBinary(packet);
    } catch {
      // The track is closed, and the callback has not run yet.
      return false;
    }
  }

  /**
   * libdatachannel 0.24.5 closes without a DTLS alert, so the peer does not notice: notify the peer through signalling.
   * @returns a promise that resolves when the connection is closed, or after a timeout
   */
  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#isOpen = false;
      clearTimeout(this.#connectTimer);
      const giveUp = setTimeout(this.#resolveClosed, CLOSE_TIMEOUT_MS);
      void this.#closed.then(() => clearTimeout(giveUp));
      // The callbacks of an open track keep the process alive until its wrapper is garbage-collected.
      this.#track.close();
      this.#connection.close();
    }
    return this.#closed;
  }
}

/** @throws {MediaError} `invalid_sdp` */
function applyOffer(connection: PeerConnection, remote: IceParameters): void {
  try {
    connection.setRemoteDescription(pipeOffer(remote), 'offer');
  } catch (cause) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: its ICE or DTLS values', { cause });
  }
}

/** Resolves when gathering is complete. The addresses of this machine are usually known at once. */
async function gathered(connection: PeerConnection): Promise<void> {
  const giveUpAt = performance.now() + GATHER_TIMEOUT_MS;
  while (connection.gatheringState() !== 'complete') {
    if (performance.now() > giveUpAt) {
      throw new MediaError('engine_unavailable', 'the media transport found no address in time');
    }
    await sleep(POLL_MS);
  }
}

/** The local track for the m-line of `pipeOffer`. */
function pipeTrack(): Video {
  const video = new Video('0', 'SendRecv');
  video.addVP8Codec(96);
  return video;
}

/**
 * The offer that libdatachannel gets instead of the peer's. With one m-line it delivers every packet; with more it
 * delivers only declared SSRCs. It has no candidates: the server answers checks and sends nothing to an address that
 * only an offer names. A peer that offers `actpass` becomes the DTLS server. As the server, libdatachannel would drop
 * a browser's first ClientHello: it drops packets until its own connectivity check is answered, which it sends 50 ms
 * late.
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
