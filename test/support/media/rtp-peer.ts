import { PeerConnection, Video, type Track } from 'node-datachannel';
import type { MediaSession } from '../../../server/media/engine/media-session.js';
import type { TrackKind, VideoCodec } from '../../../server/media/engine/media-track.js';
import { PAYLOAD_TYPES, sdpOffer, type OfferParts } from './offer.js';
import { pipeSdp } from './pipe-sdp.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS, rtpPacket } from './rtp.js';

export interface RtpPeerOptions {
  readonly role: 'publisher' | 'viewer';
  /** What a publisher offers. It sends the first. */
  readonly videoCodecs?: readonly VideoCodec[];
  readonly payloadTypes?: Partial<Record<VideoCodec | 'opus', number>>;
  /** The SSRCs of a publisher's simulcast, smallest first. Absent: its video has one encoding. */
  readonly simulcastSsrcs?: readonly number[];
  /** The only address it uses. Default: 127.0.0.1. */
  readonly address?: string;
  /** The only address of the server that it uses. Default: its own. */
  readonly serverAddress?: string;
  /** Whether to offer RTX. Default: no. */
  readonly retransmissions?: boolean;
  /** The m-lines of its offer, in order. Default: audio and video. */
  readonly kinds?: readonly TrackKind[];
  /** What another client offered: with the ICE and DTLS values of this one, it replaces the offer. */
  readonly offer?: string;
}

type IceParts = NonNullable<OfferParts['ice']>;

const SSRCS = { audio: 1001, video: 1002 };

/** Of the timestamps of the frames, in ms, where a test names no other. */
const FRAME_MS = 1_000 / 30;

interface SentFrame {
  readonly keyframe?: boolean;
  /** The last bytes of the frame. */
  readonly tail?: Uint8Array;
  /** The payload of the frame. Default: its first bytes only, which nobody can decode. */
  readonly picture?: Buffer;
  /** The time since the frame before, in ms. */
  readonly intervalMs?: number;
}

/**
 * A client without codecs: a real ICE, DTLS and SRTP transport on loopback that sends and receives raw RTP. It is used
 * in place of a browser in tests and benchmarks.
 */
export class RtpPeer {
  readonly offer: string;
  readonly rtp: Buffer[] = [];
  readonly rtcp: Buffer[] = [];
  onRtp: (packet: Buffer) => void = (packet) => this.rtp.push(packet);
  onRtcp: (packet: Buffer) => void = (packet) => this.rtcp.push(packet);
  readonly #options: RtpPeerOptions;
  readonly #connection: PeerConnection;
  readonly #track: Track;
  readonly #payloadTypes: Readonly<Record<VideoCodec | 'opus', number>>;
  #sequence = 65_530;
  #timestamp = 4_294_960_000;

  static async open(options: RtpPeerOptions): Promise<RtpPeer> {
    const connection = new PeerConnection('test-peer', {
      iceServers: [],
      bindAddress: options.address ?? '127.0.0.1',
      disableAutoNegotiation: true,
      forceMediaTransport: true,
      mtu: 1400,
    });
    const video = new Video('0', 'SendRecv');
    video.addVP8Codec(96);
    const track = connection.addTrack(video);
    await new Promise<void>((resolve) => {
      connection.onGatheringStateChange((state) => state === 'complete' && resolve());
      connection.setLocalDescription('offer');
    });
    return new RtpPeer(options, connection, track);
  }

  private constructor(options: RtpPeerOptions, connection: PeerConnection, track: Track) {
    this.#options = options;
    this.#connection = connection;
    this.#track = track;
    this.#payloadTypes = { ...PAYLOAD_TYPES, ...options.payloadTypes };
    const local = connection.localDescription()?.sdp ?? '';
    const ice = {
      usernameFragment: attribute(local, 'ice-ufrag'),
      password: attribute(local, 'ice-pwd'),
      fingerprint: attribute(local, 'fingerprint'),
    };
    this.offer = options.offer === undefined ? this.#writeOffer(ice) : withTransport(options.offer, ice);
    // Without these callbacks, closed connections and tracks keep the process alive.
    connection.onStateChange(() => {});
    track.onClosed(() => {});
    track.onMessage((packet) => (packet[1]! >= 192 && packet[1]! <= 223 ? this.onRtcp(packet) : this.onRtp(packet)));
  }

  #writeOffer(ice: IceParts): string {
    const options = this.#options;
    return sdpOffer({
      ...(options.kinds ? { kinds: options.kinds } : {}),
      direction: options.role === 'publisher' ? 'sendonly' : 'recvonly',
      ...(options.videoCodecs ? { videoCodecs: options.videoCodecs } : {}),
      ...(options.simulcastSsrcs ? { simulcastSsrcs: options.simulcastSsrcs } : {}),
      payloadTypes: this.#payloadTypes,
      ...(options.retransmissions ? { retransmissions: true } : {}),
      ssrcs: options.role !== 'publisher' ? {} : options.simulcastSsrcs ? { audio: SSRCS.audio } : SSRCS,
      ice,
    });
  }

  /** Applies the answer. Resolves when packets can be sent. */
  async accept({ answer }: Pick<MediaSession, 'answer'>): Promise<void> {
    const { promise: open, resolve } = Promise.withResolvers<void>();
    this.#track.onOpen(resolve);
    const transport = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup'].map(
      (name) => `a=${name}:${attribute(answer, name)}`,
    );
    this.#connection.setRemoteDescription(pipeSdp(transport), 'answer');
    // Candidates come last: with candidates in the answer, libdatachannel as the offerer on a fast link sometimes
    // receives the DTLS handshake before it knows the fingerprint.
    const { address = '127.0.0.1', serverAddress = address } = this.#options;
    for (const [, candidate] of answer.matchAll(/a=(candidate:.*)\r\n/g)) {
      if (candidate!.includes(` ${serverAddress} `)) this.#connection.addRemoteCandidate(candidate!, '0');
    }
    await open;
  }

  /** Sends one audio packet, and one video frame in one packet. */
  sendFrame({ keyframe = true, tail, picture, intervalMs = FRAME_MS }: SentFrame = {}): void {
    const codec = this.#options.videoCodecs?.[0] ?? 'vp8';
    const payload = picture ?? (keyframe ? KEYFRAME_PAYLOADS : DELTA_PAYLOADS)[codec];
    this.#sequence++;
    this.#timestamp += Math.round(90 * intervalMs);
    this.send(
      rtpPacket({
        payloadType: this.#payloadTypes.opus,
        sequence: this.#sequence,
        timestamp: this.#timestamp,
        ssrc: SSRCS.audio,
      }),
    );
    this.send(
      rtpPacket({
        payloadType: this.#payloadTypes[codec],
        sequence: this.#sequence,
        timestamp: this.#timestamp,
        ssrc: SSRCS.video,
        marker: true,
        payload: tail ? Buffer.concat([payload, tail]) : payload,
      }),
    );
  }

  /**
   * Sends frames, or what `send` sends, until it is stopped or one of the two sides closes the track.
   * @returns stops it
   */
  sendEvery(intervalMs: number, send: () => void = () => this.sendFrame()): () => void {
    const timer = setInterval(() => {
      try {
        send();
      } catch (error) {
        clearInterval(timer);
        if (this.isOpen) throw error;
      }
    }, intervalMs);
    return () => clearInterval(timer);
  }

  /** False: one of the two sides has closed it. */
  get isOpen(): boolean {
    return this.#track.isOpen();
  }

  send(packet: Buffer): void {
    this.#track.sendMessageBinary(packet);
  }

  /** The number of received packets of the kind, by payload type. */
  received(kind: TrackKind): number {
    const isAudio = (packet: Buffer) => (packet[1]! & 0x7f) === this.#payloadTypes.opus;
    return this.rtp.filter((packet) => isAudio(packet) === (kind === 'audio')).length;
  }

  /** Closes without notice: libdatachannel sends none. */
  close(): void {
    this.#track.close();
    this.#connection.close();
  }
}

function attribute(sdp: string, name: string): string {
  return new RegExp(`^a=${name}:(.*)$`, 'm').exec(sdp)?.[1]?.trim() ?? '';
}

/** An offer with the ICE and DTLS values of another connection, and without candidates. */
function withTransport(offer: string, { usernameFragment, password, fingerprint }: IceParts): string {
  return offer
    .replaceAll(/^a=(?:candidate|end-of-candidates).*\r?\n/gm, '')
    .replaceAll(/^a=ice-ufrag:.*$/gm, `a=ice-ufrag:${usernameFragment}`)
    .replaceAll(/^a=ice-pwd:.*$/gm, `a=ice-pwd:${password}`)
    .replaceAll(/^a=fingerprint:.*$/gm, `a=fingerprint:${fingerprint}`)
    .replaceAll(/^a=setup:.*$/gm, 'a=setup:actpass');
}
