import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withAudioNack, withStereo } from '../../../src/client/connection/peer-connections.js';

const offer = (fmtp: string) => ['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=rtpmap:111 opus/48000/2', fmtp, ''].join('\r\n');

it('adds stereo to the fmtp line of Opus, once', () => {
  const stereo = offer('a=fmtp:111 minptime=10;useinbandfec=1;stereo=1');
  assert.equal(withStereo(offer('a=fmtp:111 minptime=10;useinbandfec=1')), stereo);
  assert.equal(withStereo(stereo), stereo);
});

it('does not change an offer without Opus', () => {
  assert.equal(withStereo('m=video 9 UDP/TLS/RTP/SAVPF 96\r\n'), 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\n');
});

it('offers NACK for Opus, once', () => {
  const plain = offer('a=rtcp-fb:111 transport-cc');
  const nacked = plain.replace('a=rtcp-fb', 'a=rtcp-fb:111 nack\r\na=rtcp-fb');
  assert.equal(withAudioNack(plain), nacked);
  assert.equal(withAudioNack(nacked), nacked);
});

it('offers NACK for Opus whatever the video offers', () => {
  const video = 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 VP8/90000\r\na=rtcp-fb:96 nack\r\n';
  assert.equal(withAudioNack(video), video);
  assert.match(withAudioNack(offer('a=ptime:20') + video), /^a=rtcp-fb:111 nack\r$/m);
});
