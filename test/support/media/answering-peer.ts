import { PeerConnection, type Track } from 'node-datachannel';
import type { TrackKind } from '../../../server/media/media-engine.js';
import { PAYLOAD_TYPES } from './offer.js';

/** A viewer without codecs that answers an offer: a real ICE, DTLS and SRTP transport, as `RtpPeer`. */
export class AnsweringPeer {
  /** The SDP answer. It accepts everything that was offered. */
  readonly answer: string;
  /** The received packets. */
  readonly rtp: Buffer[] = [];
  readonly #connection: PeerConnection;
  readonly #track: Track;

  static async open(offer: string, address: string): Promise<AnsweringPeer> {
    const connection = new PeerConnection('test-viewer', {
      iceServers: [],
      bindAddress: address,
      forceMediaTransport: true,
      mtu: 1400,
    });
    const { promise: track, resolve: onTrack } = Promise.withResolvers<Track>();
    connection.onTrack(onTrack);
    await new Promise<void>((resolve) => {
      connection.onGatheringStateChange((state) => state === 'complete' && resolve());
      connection.setRemoteDescription(pipeOffer(offer), 'offer');
    });
    return new AnsweringPeer(connection, await track, offer);
  }

  private constructor(connection: PeerConnection, track: Track, offer: string) {
    this.#connection = connection;
    this.#track = track;
    connection.onStateChange(() => {});
    track.onClosed(() => {});
    track.onMessage((packet) => {
      if (packet[1]! < 192 || packet[1]! > 223) this.rtp.push(packet);
    });
    this.answer = answerTo(offer, connection.localDescription()?.sdp ?? '');
  }

  /** The number of received packets of the kind, by payload type. */
  received(kind: TrackKind): number {
    const isAudio = (packet: Buffer) => (packet[1]! & 0x7f) === PAYLOAD_TYPES.opus;
    return this.rtp.filter((packet) => isAudio(packet) === (kind === 'audio')).length;
  }

  close(): void {
    this.#track.close();
    this.#connection.close();
  }
}

const TRANSPORT = /^a=(?:ice-ufrag|ice-pwd|fingerprint|setup|candidate)[:-]/;

/** An offer with the transport of `offer` and one m-line: libdatachannel then passes on every packet. */
function pipeOffer(offer: string): string {
  const transport = offer.split('\r\n').filter((line) => TRANSPORT.test(line));
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
    ...new Set(transport),
    '',
  ].join('\r\n');
}

/** @param local the answer of libdatachannel to `pipeOffer` */
function answerTo(offer: string, local: string): string {
  const transport = local.split(/\r?\n/).filter((line) => TRANSPORT.test(line));
  const dropped = /^a=(?:ssrc|msid|end-of-candidates|ice-options|msid-semantic)/;
  const kept = offer.split('\r\n').filter((line) => !TRANSPORT.test(line) && !dropped.test(line));
  const lines = kept.map((line) => (line === 'a=sendonly' ? `a=recvonly\r\n${transport.join('\r\n')}` : line));
  return lines.join('\r\n');
}
