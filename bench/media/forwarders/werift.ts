// werift, used as its SFU examples show: packets of the incoming track are written to one track that all viewers share.
import { handleCalls } from '../../support/bench-process.js';
import { requirePeer } from '../../support/peers.js';
import { serverAddress, type Forwarder } from './forwarder.js';

/** The part of its API that is used here. */
interface Werift {
  readonly RTCPeerConnection: new (configuration: object) => Connection;
  readonly MediaStreamTrack: new (options: { kind: 'video' }) => Track;
  readonly RTCRtpCodecParameters: new (codec: object) => object;
  readonly useTransportWideCC: () => object;
}
interface Connection {
  readonly onTrack: Event<Track>;
  readonly iceGatheringState: string;
  readonly iceGatheringStateChange: Event<string>;
  readonly localDescription?: { readonly sdp: string };
  setRemoteDescription(description: { type: 'offer'; sdp: string }): Promise<void>;
  addTransceiver(track: Track | 'video', options: { direction: 'sendonly' | 'recvonly' }): unknown;
  createAnswer(): Promise<object>;
  setLocalDescription(description: object): Promise<unknown>;
}
interface Track {
  readonly onReceiveRtp: Event<object>;
  writeRtp(packet: object): void;
}
interface Event<Of> {
  subscribe(listener: (of: Of) => void): unknown;
}

const { RTCPeerConnection, MediaStreamTrack, RTCRtpCodecParameters, useTransportWideCC } =
  requirePeer<Werift>('werift');
const configuration = {
  iceServers: [],
  iceUseIpv6: false,
  iceAdditionalHostAddresses: [serverAddress],
  iceInterfaceAddresses: { udp4: serverAddress },
  headerExtensions: { audio: [], video: [useTransportWideCC()] },
  codecs: {
    audio: [],
    video: [
      new RTCRtpCodecParameters({
        mimeType: 'video/VP8',
        clockRate: 90_000,
        rtcpFeedback: [{ type: 'transport-cc' }, { type: 'nack' }, { type: 'nack', parameter: 'pli' }],
      }),
    ],
  },
};

async function answerOf(connection: Connection): Promise<string> {
  await connection.setLocalDescription(await connection.createAnswer());
  while (connection.iceGatheringState !== 'complete') {
    await new Promise<void>((resolve) => connection.iceGatheringStateChange.subscribe(() => resolve()));
  }
  // Protocol names are case-insensitive (RFC 8839 section 5.1). Our test peers expect upper case.
  return connection.localDescription!.sdp.replaceAll(' udp ', ' UDP ');
}

const outgoing = new MediaStreamTrack({ kind: 'video' });
const forwarder: Forwarder = {
  async publish(sdp) {
    const connection = new RTCPeerConnection(configuration);
    connection.onTrack.subscribe((track) => track.onReceiveRtp.subscribe((packet) => outgoing.writeRtp(packet)));
    await connection.setRemoteDescription({ type: 'offer', sdp });
    return answerOf(connection);
  },
  async view(sdp) {
    const connection = new RTCPeerConnection(configuration);
    connection.addTransceiver(outgoing, { direction: 'sendonly' });
    await connection.setRemoteDescription({ type: 'offer', sdp });
    return answerOf(connection);
  },
};
handleCalls(forwarder);
