// The transports of our engine and nothing else: what is left when forwarding itself costs nothing. No layers, no
// numbering, no loss is made up for, and what viewers report is not read. It shows how much of the cost is the library's.
import type * as sdpAnswer from '../../../server/media/embedded/sdp/answer.js';
import type * as negotiation from '../../../server/media/embedded/sdp/negotiation.js';
import type * as sdpOffer from '../../../server/media/embedded/sdp/offer.js';
import type * as transport from '../../../server/media/embedded/transport/webrtc-transport.js';
import type * as udpPort from '../../../server/media/embedded/transport/udp-port.js';
import { answerQuestions } from '../asked-process.js';
import type { Forwarder } from './forwarder.js';

const built = async <Of>(name: string) => (await import(`../../../server/dist/server/media/embedded/${name}.js`)) as Of;
const { writeAnswer } = await built<typeof sdpAnswer>('sdp/answer');
const { negotiatePublisher, negotiateSubscriber } = await built<typeof negotiation>('sdp/negotiation');
const { readOffer } = await built<typeof sdpOffer>('sdp/offer');
const { WebRtcTransport } = await built<typeof transport>('transport/webrtc-transport');
const { availableUdpPort } = await built<typeof udpPort>('transport/udp-port');

const socket = { bindAddress: '127.0.0.1', udpPort: await availableUdpPort('127.0.0.1', 0) };
const viewers: transport.WebRtcTransport[] = [];
const SSRC = 1;
const source = () => ({ ssrc: SSRC, cname: 'bare', stream: 'bare', track: 'bare' });
const ignored = { onOpen: () => {}, onPacket: () => {}, onLost: () => {} };

function forward(packet: Buffer): void {
  packet.writeUInt32BE(SSRC, 8);
  for (let index = 0; index < viewers.length; index++) viewers[index]!.send(packet);
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
    viewers.push(opened);
    return answer(negotiateSubscriber(offer, source, 'goog-remb').media, opened);
  },
};
answerQuestions(forwarder);
