import fc from 'fast-check';
import { negotiatePublisher, negotiateSubscriber } from '../../../server/media/sdp/negotiation.js';
import { writeAnswer } from '../../../server/media/sdp/answer.js';
import { janusAnswer } from '../../../server/media/janus/subscriber-sdp.js';
import { readOffer, type Offer } from '../../../server/media/sdp/offer.js';
import { costRow, MB, type CheckedRow, type Growing } from '../../support/cost.js';
import { sdpOffer } from '../../support/media/offer.js';

/** Of one SDP text: `MAX_OFFER_LENGTH`, and the limit of every body and frame that carries one. */
const OFFER_LIMIT = 64 * 1024;
/** An offer is read in the process that serves everybody. */
const OFFER_MS = 5;
/** 128 formats with their parameters, and as many extensions, SSRCs and encodings as are kept. */
const OFFER_MEMORY = 192 * 1024;

/** Each attribute, and each line without a meaning, as it looks at its place in a long list. */
const LINES: Readonly<Record<string, (index: number) => string>> = {
  'a=rtpmap of one payload type': () => 'a=rtpmap:96 VP8/90000',
  'a=rtpmap of every payload type': (index) => `a=rtpmap:${index % 128} VP8/90000`,
  'a=rtpmap of numbers that are no payload types': (index) => `a=rtpmap:${1_000 + index} VP8/90000`,
  'a=rtpmap of RTX': (index) => `a=rtpmap:${index % 128} rtx/90000`,
  'a=rtpmap of redundancy': (index) => `a=rtpmap:${index % 128} red/48000/2`,
  'a=fmtp': (index) => `a=fmtp:${index % 128} apt=${(index + 1) % 128}`,
  'a=fmtp of H.264 profiles': (index) => `a=fmtp:96 profile-level-id=${(index % 65_536).toString(16)}00`,
  'a=rtcp-fb of one payload type': () => 'a=rtcp-fb:96 nack',
  'a=rtcp-fb of all': () => 'a=rtcp-fb:* nack pli',
  'a=rtcp-fb of unknown kinds': (index) => `a=rtcp-fb:${index % 128} x${index}`,
  'a=extmap of one URI': (index) => `a=extmap:${(index % 14) + 1} urn:ietf:params:rtp-hdrext:sdes:mid`,
  'a=extmap of unknown URIs': (index) => `a=extmap:${index % 256} urn:x:${index}`,
  'a=extmap with directions': (index) => `a=extmap:${index % 256}/sendonly urn:x:${index}`,
  'a=ssrc': (index) => `a=ssrc:${index + 1} cname:x`,
  'a=ssrc-group of FID': (index) => `a=ssrc-group:FID ${index + 1} ${index + 2}`,
  'a=ssrc-group of SIM': (index) => `a=ssrc-group:SIM ${index + 1} ${index + 2}`,
  'a=rid': (index) => `a=rid:r${index} send`,
  'a=simulcast': (index) => `a=simulcast:send r${index};r${index + 1}`,
  'a=candidate': (index) => `a=candidate:${index} 1 udp 2113937151 10.0.0.1 ${index % 65_536} typ host`,
  'a=group of BUNDLE': (index) => `a=group:BUNDLE ${index}`,
  'a=mid': (index) => `a=mid:${index}`,
  'a=msid': (index) => `a=msid:${index} x`,
  'a=imageattr': () => 'a=imageattr:96 send [x=1] recv [x=1]',
  'a=crypto': (index) => `a=crypto:${index} AES_CM_128_HMAC_SHA1_80 inline:x`,
  'a=fingerprint': () => `a=fingerprint:sha-256 ${'AB:'.repeat(31)}AB`,
  'a=ice-ufrag': (index) => `a=ice-ufrag:x${index}`,
  'unknown attributes': (index) => `a=x${index}:1`,
  'attributes without a name': () => 'a=',
  'b= and c=': (index) => (index % 2 === 0 ? `b=AS:${index}` : 'c=IN IP4 0.0.0.0'),
  'lines of other letters': (index) => `${String.fromCharCode(98 + (index % 11))}=`,
  'empty lines': () => '',
  'lines that are no SDP': () => 'x',
  'm=audio': () => 'm=audio 9 UDP/TLS/RTP/SAVPF 0',
  'm=video, each with a format': (index) => `m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:${index}\r\na=rtpmap:96 VP8/90000`,
};

/** Values of one line that repeat a part. */
const LISTS: Readonly<Record<string, readonly [before: string, element: (index: number) => string]>> = {
  'payload types in an m-line': ['m=video 9 UDP/TLS/RTP/SAVPF', (index) => ` ${index % 128}`],
  'one payload type in an m-line': ['m=video 9 UDP/TLS/RTP/SAVPF', () => ' 96'],
  'parameters of a=fmtp': ['a=fmtp:96 ', (index) => `p${index}=1;`],
  'empty parameters of a=fmtp': ['a=fmtp:96 ', () => ';'],
  'payload types of redundancy': ['a=rtpmap:97 red/48000/2\r\na=fmtp:97 111', () => '/111'],
  'mids of a bundle': ['a=group:BUNDLE', (index) => ` ${index}`],
  'encodings of a simulcast': ['a=simulcast:send r', (index) => `;r${index}`],
  'alternatives of a simulcast': ['a=simulcast:send r', (index) => `,r${index}`],
  'spaces of a simulcast': ['a=simulcast: ', () => ' '],
  'SSRCs of a group': ['a=ssrc-group:SIM', (index) => ` ${index + 1}`],
  'digits of a payload type': ['a=rtpmap:', () => '9'],
  'digits of an SSRC': ['a=ssrc:', () => '1'],
  'hex of a fingerprint': ['a=fingerprint:sha-256 AB', () => ':AB'],
  'spaces of a=imageattr': ['a=imageattr:96', () => ' '],
  'brackets of a=imageattr': ['a=imageattr:96 send ', () => '[x] '],
  'spaces of a=mediaclk': ['a=mediaclk:', () => ' '],
  'spaces of a=floorid': ['a=floorid:', () => 'x '],
  'spaces of an attribute': ['a=x:', () => ' '],
};

const PARSERS = ['server/media/sdp/offer.ts readOffer', 'server/media/sdp/codecs.ts readFormat'];

/** How many formats the lines meet: the cost of a list may be multiplied by another list. */
const FORMATS: readonly ((size: number) => string)[] = [
  () => '96',
  () => Array.from({ length: 128 }, (_, index) => index).join(' '),
  (size) => '96 '.repeat(size / 6),
  (size) => Array.from({ length: size / 8 }, (_, index) => index).join(' '),
];

const offerAround = (lines: (size: number) => string): fc.Arbitrary<Growing<string>> =>
  fc.constantFrom(...FORMATS).map((formats) => (size) => {
    const every = Array.from({ length: 128 }, (_, index) => `a=rtpmap:${index} VP8/90000`).join('\r\n');
    const head = `${sdpOffer({ kinds: ['video'], rids: ['q', 'h'] }).replace(/(m=video \S+ \S+) .*/, `$1 ${formats(size)}`)}${every}\r\n`;
    return head + lines(Math.max(0, size - head.length));
  });

const linesOf = (each: (index: number) => string) => (size: number) => {
  const lines: string[] = [];
  for (let index = 0, room = size; ; index++) {
    const line = `${each(index)}\r\n`;
    room -= line.length;
    if (room < 0) return lines.join('');
    lines.push(line);
  }
};

const listOf =
  (before: string, each: (index: number) => string) =>
  (size: number): string => {
    const parts = [before];
    for (let index = 0, room = size - before.length - 2; ; index++) {
      const part = each(index);
      room -= part.length;
      if (room < 0) return `${parts.join('')}\r\n`;
      parts.push(part);
    }
  };

const inputs: Readonly<Record<string, (size: number) => string>> = {
  ...Object.fromEntries(Object.entries(LINES).map(([name, each]) => [name, linesOf(each)])),
  ...Object.fromEntries(Object.entries(LISTS).map(([name, [before, each]]) => [name, listOf(before, each)])),
};

const transport = { usernameFragment: 'abcd', password: 'x'.repeat(22), fingerprint: '', setup: 'passive' } as const;

/** What a media worker does with an offer that the server has read: for all that, its packets wait. */
function answerOffer(offer: Offer): readonly string[] {
  const track = { ssrc: 1, retransmissionSsrc: 2, cname: 'c', stream: 's', track: 't' };
  return [negotiateSubscriber(offer, () => track), negotiatePublisher(offer)].map(({ media }) =>
    writeAnswer('1', media, { ...transport, candidates: [] }),
  );
}

/** As Janus offers a room: an m-line for each codec. */
const JANUS_OFFER = sdpOffer({ kinds: ['audio', 'video', 'video', 'video', 'video'], direction: 'sendonly' });

export const sdpRows: readonly CheckedRow[] = [
  ...Object.entries(inputs).map(([name, lines]) =>
    costRow({
      name: `an offer of many ${name}`,
      parsers: PARSERS,
      limit: OFFER_LIMIT,
      inputs: offerAround(lines),
      // It is sent to the worker.
      read: (sdp) => JSON.stringify(readOffer(sdp)),
      maxMs: OFFER_MS,
      fixedMemory: OFFER_MEMORY,
    }),
  ),
  costRow({
    name: 'an offer of any lines, with its answers',
    parsers: PARSERS,
    limit: OFFER_LIMIT,
    inputs: fc
      .uniqueArray(fc.constantFrom(...Object.values(inputs)), { minLength: 2, maxLength: 4 })
      .chain((kinds) => offerAround((size) => kinds.map((lines) => lines(size / kinds.length)).join(''))),
    read: (sdp) => answerOffer(readOffer(sdp)),
    maxMs: OFFER_MS,
    fixedMemory: OFFER_MEMORY,
  }),
  costRow({
    name: 'an answer to an offer of Janus, with any lines',
    parsers: ['server/media/janus/subscriber-sdp.ts janusAnswer'],
    limit: OFFER_LIMIT,
    inputs: fc.constantFrom(...Object.values(inputs)).map((lines) => (size) => {
      const answer = sdpOffer({ kinds: ['audio', 'video'] });
      return answer + lines(size - answer.length);
    }),
    read: (answer) => janusAnswer(answer, JANUS_OFFER),
    // 1,024 lines for each of the five m-lines of Janus.
    fixedMemory: 1.5 * MB,
  }),
];
