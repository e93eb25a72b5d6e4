// medooze-media-server, used as its documentation shows. Native threads forward the packets.
import { TRANSPORT_SEQUENCE } from '../../../server/media/sdp/extension-uris.js';
import { handleCalls } from '../../support/bench-process.js';
import { requirePeer } from '../../support/peers.js';
import { serverAddress, type Forwarder } from './forwarder.js';

/** The part of its API that is used here. */
interface MediaServer {
  enableLog(enabled: boolean): void;
  createEndpoint(address: string): {
    getLocalCandidates(): unknown;
    createTransport(remote: SdpInfo): Transport;
  };
}
interface Transport {
  setLocalProperties(local: SdpInfo): void;
  setRemoteProperties(remote: SdpInfo): void;
  getLocalDTLSInfo(): unknown;
  getLocalICEInfo(): unknown;
  createIncomingStreamTrack(kind: 'video', track: TrackInfo): object;
  createOutgoingStreamTrack(kind: 'video'): { attachTo(incoming: object): unknown };
}
interface SdpInfo {
  answer(ours: object): SdpInfo;
  toString(): string;
}
interface TrackInfo {
  addSSRC(ssrc: number): void;
}
interface SemanticSdp {
  readonly SDPInfo: { parse(sdp: string): SdpInfo };
  readonly TrackInfo: new (kind: 'video', id: string) => TrackInfo;
}

const mediaServer = requirePeer<MediaServer>('medooze-media-server');
const { SDPInfo, TrackInfo } = requirePeer<SemanticSdp>('semantic-sdp');

mediaServer.enableLog(false);
const endpoint = mediaServer.createEndpoint(serverAddress);
const capabilities = {
  video: {
    codecs: ['vp8'],
    rtx: true,
    rtcpfbs: [{ id: 'transport-cc' }, { id: 'nack' }, { id: 'nack', params: ['pli'] }],
    extensions: [TRANSPORT_SEQUENCE],
  },
};

function connect(sdp: string): { transport: Transport; answer: string } {
  const offer = SDPInfo.parse(sdp);
  const transport = endpoint.createTransport(offer);
  transport.setRemoteProperties(offer);
  const answer = offer.answer({
    dtls: transport.getLocalDTLSInfo(),
    ice: transport.getLocalICEInfo(),
    candidates: endpoint.getLocalCandidates(),
    capabilities,
  });
  transport.setLocalProperties(answer);
  return { transport, answer: answer.toString() };
}

let incoming: object | undefined;
const forwarder: Forwarder = {
  publish(sdp) {
    const { transport, answer } = connect(sdp);
    const track = new TrackInfo('video', 'video');
    // The first is that of the media. Another one may be that of its RTX.
    track.addSSRC(Number(/^m=video[^]*?^a=ssrc:(\d+)/m.exec(sdp)?.[1]));
    incoming = transport.createIncomingStreamTrack('video', track);
    return answer;
  },
  view(sdp) {
    const { transport, answer } = connect(sdp);
    transport.createOutgoingStreamTrack('video').attachTo(incoming!);
    return answer;
  },
};
handleCalls(forwarder);
