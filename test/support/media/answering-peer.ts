import { PeerConnection, type Track } from 'node-datachannel';
import type { TrackKind } from '../../../server/media/engine/media-track.js';
import { PAYLOAD_TYPES } from './offer.js';
import { pipeSdp } from './pipe-sdp.js';

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
    // Janus begins the DTLS handshake: what a peer sends before Janus is ready is lost, and comes again a second later.
    const transport = offer.replaceAll('a=setup:actpass', 'a=setup:active').split('\r\n');
    await new Promise<void>((resolve) => {
      connection.onGatheringStateChange((state) => state === 'complete' && resolve());
      connection.setRemoteDescription(pipeSdp(transport.filter((line) => TRANSPORT.test(line))), 'offer');
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

/** @param local the answer of libdatachannel to the pipe */
function answerTo(offer: string, local: string): string {
  const transport = local.split(/\r?\n/).filter((line) => TRANSPORT.test(line));
  const dropped = /^a=(?:ssrc|msid|end-of-candidates|ice-options|msid-semantic)/;
  const kept = offer.split('\r\n').filter((line) => !TRANSPORT.test(line) && !dropped.test(line));
  const lines = kept.map((line) => (line === 'a=sendonly' ? `a=recvonly\r\n${transport.join('\r\n')}` : line));
  return lines.join('\r\n');
}
