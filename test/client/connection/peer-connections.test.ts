import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createOffer } from '../../../src/client/connection/negotiation.js';
import { withStereo } from '../../../src/client/connection/peer-connections.js';

const offer = (fmtp: string) => ['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=rtpmap:111 opus/48000/2', fmtp, ''].join('\r\n');

it('adds stereo to the fmtp line of Opus, once', () => {
  const stereo = offer('a=fmtp:111 minptime=10;useinbandfec=1;stereo=1');
  assert.equal(withStereo(offer('a=fmtp:111 minptime=10;useinbandfec=1')), stereo);
  assert.equal(withStereo(stereo), stereo);
});

it('does not change an offer without Opus', () => {
  assert.equal(withStereo('m=video 9 UDP/TLS/RTP/SAVPF 96\r\n'), 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\n');
});

/** The offer that the server gets, for this one of the browser. */
const sent = (sdp: string) =>
  createOffer({ createOffer: async () => ({ type: 'offer', sdp }) } as RTCPeerConnection, (shaped) => shaped);

it('offers NACK for Opus', async () => {
  const plain = offer('a=rtcp-fb:111 transport-cc');
  assert.equal(await sent(plain), plain.replace('a=rtcp-fb', 'a=rtcp-fb:111 nack\r\na=rtcp-fb'));
});

it('offers NACK for Opus whatever the video offers', async () => {
  const video = 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 VP8/90000\r\na=rtcp-fb:96 nack\r\n';
  assert.equal(await sent(video), video);
  assert.match(await sent(offer('a=ptime:20') + video), /^a=rtcp-fb:111 nack\r$/m);
});
