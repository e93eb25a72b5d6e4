import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { janusAnswer, midsOf, viewerOffer } from '../../../../server/media/janus/subscriber-sdp.js';

/** The lines of a description, which may be indented. */
const sdp = (text: string): string => `${text.trim().split(/\n */).join('\r\n')}\r\n`;

const TRANSPORT = 'a=ice-ufrag:oH9f\na=ice-pwd:ReyuwiwB03xlrenT3qgx0B\na=setup:actpass';
const MID_EXTENSION = 'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid';
const SESSION = 'v=0\no=- 1 1 IN IP4 127.0.0.1\ns=VideoRoom 1\nt=0 0';

const video = (mid: string, payload: number, codec: string): string => `
  m=video 9 UDP/TLS/RTP/SAVPF ${payload} ${payload + 1}
  a=sendonly
  a=mid:${mid}
  ${TRANSPORT}
  a=rtpmap:${payload} ${codec}/90000
  a=rtcp-fb:${payload} nack
  ${MID_EXTENSION}
  a=rtpmap:${payload + 1} rtx/90000
  a=fmtp:${payload + 1} apt=${payload}
  a=ssrc-group:FID ${payload}0 ${payload}1
  a=ssrc:${payload}0 cname:janus`;

/** As Janus 1.1.2 offers the dummy publisher of a room. */
const OFFER = sdp(`
  ${SESSION}
  a=group:BUNDLE 0 1 2
  m=audio 9 UDP/TLS/RTP/SAVPF 111
  a=sendonly
  a=mid:0
  ${TRANSPORT}
  a=rtpmap:111 opus/48000/2
  ${MID_EXTENSION}
  a=ssrc:10 cname:janus
  ${video('1', 96, 'VP8').trim()}
  ${video('2', 107, 'H264').trim()}`);

describe('the offer for a viewer', () => {
  it('has one m-line of each kind with all codecs, and nothing by which its packets would be told apart', () => {
    const expected = sdp(`
      ${SESSION}
      a=group:BUNDLE 1 0
      m=video 9 UDP/TLS/RTP/SAVPF 96 107
      a=sendonly
      a=mid:1
      ${TRANSPORT}
      a=rtpmap:96 VP8/90000
      a=rtcp-fb:96 nack
      a=rtpmap:107 H264/90000
      a=rtcp-fb:107 nack
      m=audio 9 UDP/TLS/RTP/SAVPF 111
      a=sendonly
      a=mid:0
      ${TRANSPORT}
      a=rtpmap:111 opus/48000/2`);
    assert.equal(viewerOffer(OFFER, ['video', 'audio']), expected);
  });

  it('has only the kinds that the viewer receives', () => {
    assert.deepEqual(midsOf(viewerOffer(OFFER, ['audio'])), { audio: '0' });
  });
});

describe('the answer for Janus', () => {
  it('accepts every m-line whose codec the viewer accepts', () => {
    const own = 'a=ice-ufrag:abcd\na=setup:active\na=recvonly';
    const answer = sdp(`
      v=0
      a=group:BUNDLE 1 0
      m=video 9 UDP/TLS/RTP/SAVPF 96 107
      a=mid:1
      ${own}
      a=rtpmap:96 VP8/90000
      a=rtpmap:107 H264/90000
      m=audio 9 UDP/TLS/RTP/SAVPF 111
      a=mid:0
      ${own}
      a=rtpmap:111 opus/48000/2`);
    const expected = sdp(`
      v=0
      a=group:BUNDLE 0 1 2
      m=audio 9 UDP/TLS/RTP/SAVPF 111
      a=mid:0
      ${own}
      a=rtpmap:111 opus/48000/2
      m=video 9 UDP/TLS/RTP/SAVPF 96
      a=mid:1
      ${own}
      a=rtpmap:96 VP8/90000
      m=video 9 UDP/TLS/RTP/SAVPF 107
      a=mid:2
      ${own}
      a=rtpmap:107 H264/90000`);
    assert.equal(janusAnswer(answer, OFFER), expected);
  });

  it('rejects the m-lines of codecs and kinds that the viewer does not receive', () => {
    const answer = sdp(`
      v=0
      a=group:BUNDLE 1
      m=video 9 UDP/TLS/RTP/SAVPF 107
      a=mid:1
      a=recvonly
      a=rtpmap:107 H264/90000`);
    const outline = janusAnswer(answer, OFFER)
      .split('\r\n')
      .filter((line) => /^m=|^a=group/.test(line));
    assert.deepEqual(outline, [
      'a=group:BUNDLE 2',
      'm=audio 0 UDP/TLS/RTP/SAVPF 111',
      'm=video 0 UDP/TLS/RTP/SAVPF 96 97',
      'm=video 9 UDP/TLS/RTP/SAVPF 107',
    ]);
  });
});
