import fc from 'fast-check';
import { parseJson } from '../../../server/bounded-json.js';
import { readClusterMessage, readNotification } from '../../../server/cluster/cluster-notification.js';
import { readJanusMessage } from '../../../server/media/janus/janus-message.js';
import { readLiveState } from '../../../server/upstream/live-state.js';
import { readOfferAnswer, readRemovalStatus } from '../../../server/upstream/upstream-answer.js';
import { publisherOffer } from '../../../server/upstream/upstream-offer.js';
import type { UpstreamSoftware } from '../../../src/wire/management/upstream.js';
import { costRow, MB, repeated, repeatedText, type CheckedRow, type Frame } from '../../support/cost.js';
import { sdpOffer } from '../../support/media/offer.js';

/** What JSON can repeat, in a list. */
const ELEMENTS = ['1', '{}', '[]', '""', 'null', '{"a":1}', '"\\\\"', '"a,b{"', '[[[[]]]]'];

/** JSON lists in a frame. */
const listsIn = (before: string, after: string, ...more: readonly string[]) =>
  repeated(fc.constantFrom(...ELEMENTS, ...more), { before: `${before}[`, between: ',', after: `]${after}` });

/** JSON, text that is none, and texts with what looks like more JSON. */
const hostileJson = fc.oneof(
  listsIn('', ''),
  repeated((index) => `"k${index}":0`, { before: '{', between: ',', after: '}' }),
  repeated(fc.constantFrom('\\\\', '\\"', ',', '[', 'a'), { before: '"', after: '"' }),
  repeated(fc.constantFrom('[', '{"a":', '"', ' ', '\\')),
);

const SOFTWARE: readonly UpstreamSoftware[] = ['mediamtx', 'cloudflare', 'srs', 'streamgate'];
const STREAM = '{"name":"a","app":"live","publish":{"active":false},"streamName":"a","clients":1}';
const UPSTREAM = new URL('https://upstream.example.com/api/whip/main?stream=main');

/** What the upstream of an account, chosen by the account, answers. */
const upstreamRows: readonly CheckedRow[] = [
  costRow({
    name: 'the answer of an upstream to an offer',
    parsers: ['server/upstream/upstream-answer.ts readOfferAnswer, readRemovalStatus'],
    // `MOST_ANSWER_BYTES`
    limit: MB,
    inputs: repeated(fc.constantFrom('a=x\r\n', 'v=0', '\r\n', ' '), { before: 'v=0\r\n' }),
    read: (body) => [
      readOfferAnswer('view', UPSTREAM, { status: 201, headers: { location: '/session/1' }, body }),
      readRemovalStatus(body.length),
    ],
  }),
  costRow({
    name: 'where an upstream redirects to, and where its sessions are',
    parsers: ['server/upstream/upstream-answer.ts readOfferAnswer'],
    // Node takes no more of headers.
    limit: 16 * 1024,
    inputs: fc.oneof(
      repeated(fc.constantFrom('a', '/', '../', '%41', '?', '#', '@', ':', 'é', '\\', '.')),
      repeated(fc.constantFrom('a.', '1.', 'é', '%41', '-', '@', ':1'), { before: 'https://' }),
    ),
    read: (location) =>
      [201, 307].map((status) =>
        readOfferAnswer('publish', UPSTREAM, { status, headers: { location }, body: 'v=0\r\n' }),
      ),
    // Two URLs, read twice.
    fixedMemory: 0.5 * MB,
  }),
  costRow({
    name: 'what an upstream says of its streams',
    parsers: ['server/upstream/live-state.ts readLiveState'],
    limit: MB,
    inputs: fc.oneof(hostileJson, listsIn('{"streams":', '}', STREAM), listsIn('{"data":', '}', STREAM)),
    read: (body) => SOFTWARE.map((software) => readLiveState(software, { status: 200, body }, UPSTREAM)),
    maxMs: 4 * 20,
    // Four kinds of software read it here, and one in the server.
    maxMemory: 4 * 10,
  }),
  costRow({
    name: 'the offer of a publisher, for an upstream',
    parsers: [],
    limit: 64 * 1024,
    inputs: fc
      .constantFrom<Frame & { readonly line: string }>(
        { line: 'a=rtpmap:97 rtx/90000\r\n' },
        { line: 'a=fmtp:97 apt=96\r\n' },
        { line: 'a=x\r\n' },
        { line: '\r\n' },
        { line: 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\n' },
        { line: ' 96', before: 'm=video 9 UDP/TLS/RTP/SAVPF' },
      )
      .map(({ line, ...frame }) => {
        const offer = sdpOffer({ direction: 'sendonly', kinds: ['audio', 'video'] });
        return repeatedText(line, { ...frame, before: offer + (frame.before ?? '') });
      }),
    read: (sdp) => publisherOffer(sdp, 'vp8'),
    // A text and a place in two lists for each line, of which 64 kB have 32,768.
    fixedMemory: 3 * MB,
  }),
];

const NOTIFICATION = ['["messages","n",', ']'] as const;
const CLUSTER_MESSAGES = [
  '{"type":"hello"}',
  '{"type":"viewing-ended","id":1}',
  '{"type":"viewers","streamId":"a/b","viewers":1}',
  '{"type":"stop-session","streamId":"a/b","id":"c"}',
  '{"type":"x"}',
];

export const serviceRows: readonly CheckedRow[] = [
  costRow({
    name: 'JSON of anybody',
    parsers: ['server/bounded-json.ts parseJson'],
    // `MAX_BODY_BYTES`
    limit: 64 * 1024,
    inputs: hostileJson,
    read: (text) => parseJson(text),
  }),
  ...upstreamRows,
  costRow({
    name: 'a message of Janus',
    parsers: ['server/media/janus/janus-message.ts readJanusMessage'],
    limit: 64 * 1024,
    inputs: fc.oneof(
      hostileJson,
      listsIn('{"janus":"event","sender":1,"plugindata":{"data":{"publishers":', '}}}'),
      repeated((index) => `"k${index}":0`, {
        before: '{"janus":"event","sender":1,"plugindata":{"data":{',
        between: ',',
        after: '}}}',
      }),
      repeated('a=x\\r\\n', { before: '{"janus":"event","sender":1,"jsep":{"type":"offer","sdp":"', after: '"}}' }),
    ),
    read: readJanusMessage,
  }),
  costRow({
    name: 'what servers of a cluster tell each other',
    parsers: ['server/cluster/cluster-notification.ts readNotification, readClusterMessage'],
    // PostgreSQL takes no longer NOTIFY.
    limit: 8_000,
    inputs: fc.oneof(
      hostileJson,
      listsIn(...NOTIFICATION, ...CLUSTER_MESSAGES),
      repeated('a', { before: '["stream","main","', after: '"]' }),
    ),
    read: (payload) => {
      const read = readNotification(payload);
      return read[0] === 'messages' ? read[2].map(answerOf) : read;
    },
    // zod makes 2.5 kB of an error for each of 2,600 messages that are none. The channel counts them and keeps none.
    fixedMemory: 12 * MB,
    maxMs: 60,
  }),
];

function answerOf(message: unknown): unknown {
  try {
    return readClusterMessage(message);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}
