// Our engine's transports without the engine: the cost of the library alone. It has no layers, does not rewrite sequence
// numbers, resends nothing and reads no reports.
import type * as sdpAnswer from '../../../server/media/sdp/answer.js';
import type * as negotiation from '../../../server/media/sdp/negotiation.js';
import type * as sdpOffer from '../../../server/media/sdp/offer.js';
import type * as transport from '../../../server/media/embedded/transport/webrtc-transport.js';
import type * as udpPort from '../../../server/media/embedded/transport/udp-port.js';
import { handleCalls } from '../../support/bench-process.js';
import { serverAddress, type Forwarder } from './forwarder.js';

const loadBuilt = async <Of>(name: string) => (await import(`../../../server/dist/server/media/${name}.js`)) as Of;
const { writeAnswer } = await loadBuilt<typeof sdpAnswer>('sdp/answer');
const { negotiatePublisher, negotiateSubscriber } = await loadBuilt<typeof negotiation>('sdp/negotiation');
const { readOffer } = await loadBuilt<typeof sdpOffer>('sdp/offer');
const { WebRtcTransport } = await loadBuilt<typeof transport>('embedded/transport/webrtc-transport');
const { availableUdpPort } = await loadBuilt<typeof udpPort>('embedded/transport/udp-port');

const socket = { bindAddress: serverAddress, udpPort: await availableUdpPort(serverAddress, 0) };
const transports: transport.WebRtcTransport[] = [];
const SSRC = 1;
const describe = () => ({ ssrc: SSRC, cname: 'bare', stream: 'bare', track: 'bare' });
const ignored = { onOpen: () => {}, onPacket: () => {}, onLost: () => {} };

function forward(packet: Buffer): void {
  packet.writeUInt32BE(SSRC, 8);
  for (let index = 0; index < transports.length; index++) transports[index]!.send(packet);
}

const answer = (media: readonly sdpAnswer.AnsweredMedia[], { local }: transport.WebRtcTransport): string =>
  writeAnswer('1', media, local);

const forwarder: Forwarder = {
  async publish(sdp) {
    const offer = readOffer(sdp);
    const opened = await WebRtcTransport.open(offer.ice, socket, { ...ignored, onPacket: forward });
    return answer(negotiatePublisher(offer).media, opened);
  },
  async view(sdp) {
    const offer = readOffer(sdp);
    const opened = await WebRtcTransport.open(offer.ice, socket, ignored);
    transports.push(opened);
    return answer(negotiateSubscriber(offer, describe, 'goog-remb').media, opened);
  },
};
handleCalls(forwarder);
