import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { sdpOffer } from '../../test/support/media/offer.js';
import type { Attempt, Stranger } from './stranger.js';

/** The ports of the server under attack, and the stream that is live, `account/name`. */
export interface AttackedServer {
  readonly origin: string;
  readonly mediaPort: number;
  readonly rtmpPort: number;
  readonly stream: string;
}

/** One thing that a stranger does again and again, as often as the server permits. */
export type Attack = (stranger: Stranger, server: AttackedServer) => Promise<Attempt>;

const SDP = { 'content-type': 'application/sdp' };
const JSON_TYPE = { 'content-type': 'application/json' };
/** The largest body that the server reads has 64 KiB. In JSON, each line of an offer has two characters more. */
const MAX_OFFER_BYTES = 56 * 1024;
/** What UDP and ICE-TCP get from one address in a second. No limit of the server holds there, only that of a network. */
const PACKETS_PER_SECOND = 100;
const PACKETS_AT_ONCE = 10;
const HELD_MS = 1_000;

const done: Attempt = { status: undefined, retryAfterMs: undefined };

/** The server reads no more than 512 lines of an m-line. */
const LINES_OF_SECTION = 500;

/** A valid offer, with one line repeated up to the limit of a body. */
function costlyOffer(line: (index: number) => string): string {
  const parts = [sdpOffer()];
  for (let length = parts[0]!.length, index = 0; ; index += 1) {
    const section = index % LINES_OF_SECTION === 400 ? `m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:x${index}\r\n` : '';
    const next = `${section}${line(index)}\r\n`;
    length += next.length;
    if (length > MAX_OFFER_BYTES) return parts.join('');
    parts.push(next);
  }
}

/** Of every kind of line whose cost could be more than linear. */
const COSTLY_OFFERS: readonly string[] = [
  (index: number) => `a=rtcp-fb:${96 + (index % 32)} nack`,
  (index: number) => `a=rtpmap:${96 + (index % 32)} VP8/90000`,
  (index: number) => `a=fmtp:${96 + (index % 32)} x=${index}`,
  (index: number) => `a=extmap:${1 + (index % 14)} urn:x:${index}`,
  (index: number) => `a=ssrc:${index} cname:x`,
  (index: number) => `a=rid:r${index} send`,
  (index: number) => `a=candidate:${index} 1 udp 1 10.0.0.1 9 typ host`,
].map(costlyOffer);

let turn = 0;
const nextOf = <Item>(items: readonly Item[]): Item => items[(turn += 1) % items.length]!;
const word = (): string => randomBytes(8).toString('hex');

/** Writes to a TCP port and waits until the server ends the connection, or for a second. */
function sendBytes(stranger: Stranger, port: number, bytes: Buffer): Promise<Attempt> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: stranger.address });
    const end = (): void => {
      socket.destroy();
      resolve(done);
    };
    socket.setTimeout(HELD_MS, end);
    socket.on('error', end).on('close', end);
    socket.resume();
    socket.write(bytes);
  });
}

/** All attacks, by name. */
export const attacks = {
  costlyOffers: (stranger, { stream }) =>
    stranger.call({ path: `/api/whep/${stream}`, headers: SDP, body: nextOf(COSTLY_OFFERS) }),
  costlyViews(stranger, { stream }) {
    const [streamAccountId, streamName] = stream.split('/');
    const view = { streamId: stream, sdp: nextOf(COSTLY_OFFERS) };
    const body = JSON.stringify({ streamName, streamAccountId, view });
    return stranger.call({ path: '/api/director/subscribe', headers: JSON_TYPE, body });
  },
  sessionsThatNeverConnect: (stranger, { stream }) =>
    stranger.call({ path: `/api/whep/${stream}`, headers: SDP, body: sdpOffer() }),
  pagesOfNewStreams: (stranger) =>
    stranger.call({ method: 'GET', path: `/viewer?streamId=main/${word()}`, headers: { accept: 'text/html' } }),
  accountsWithSlashes: (stranger) =>
    stranger.call({ path: `/api/whep/main%2F${word()}/live`, headers: SDP, body: sdpOffer() }),
  unknownTokens: (stranger) =>
    stranger.call({
      path: '/api/director/subscribe',
      headers: { ...JSON_TYPE, authorization: `Bearer ${randomBytes(32).toString('hex')}` },
      body: JSON.stringify({ streamName: word(), streamAccountId: 'main' }),
    }),
  guessedLogins: (stranger) =>
    stranger.call({ path: '/api/dashboard/login', headers: JSON_TYPE, body: JSON.stringify({ code: word() }) }),
  stillsAndPlaylists: (stranger, { stream }) =>
    stranger.call({ method: 'GET', path: nextOf([`/api/still/${stream}`, `/api/hls/${stream}/${word()}.m3u8`]) }),
  async openedSockets(stranger, { origin }) {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/v2`, {
      localAddress: stranger.address,
      headers: stranger.forwarded,
    });
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => void socket.once('close', resolve));
    // The server closes those that it has no place for.
    await Promise.race([closed, new Promise<void>((resolve) => void socket.once('open', resolve))]);
    void Promise.race([closed, sleep(HELD_MS * 10)]).then(() => socket.terminate());
    return done;
  },
  rtmpOfStrangers: (stranger, { rtmpPort }) =>
    sendBytes(stranger, rtmpPort, Buffer.concat([Buffer.from([3]), randomBytes(2 * 1_536), randomBytes(30_000)])),
  iceOverTcp: (stranger, { mediaPort }) => sendBytes(stranger, mediaPort, randomBytes(30_000)),
  async packetsOfStrangers(stranger, { mediaPort }) {
    const socket = createSocket('udp4');
    socket.on('error', () => {});
    await new Promise<void>((resolve) => void socket.bind(0, stranger.address, resolve));
    for (let sent = 0; sent < PACKETS_AT_ONCE; sent += 1) socket.send(strangePacket(sent), mediaPort, '127.0.0.1');
    await sleep((PACKETS_AT_ONCE * 1_000) / PACKETS_PER_SECOND);
    socket.close();
    return done;
  },
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

/** A STUN binding request of nobody (RFC 8489 section 5), DTLS, RTP or RTCP: each of the kinds that a port tells apart. */
function strangePacket(index: number): Buffer {
  const packet = randomBytes(200);
  packet[0] = [0, 22, 0x80, 0x80][index % 4]!;
  if (index % 4 === 0) {
    packet.writeUInt16BE(1, 0);
    packet.writeUInt16BE(packet.length - 20, 2);
    packet.writeUInt32BE(0x2112_a442, 4);
  }
  if (index % 4 === 3) packet[1] = 200;
  return packet;
}
