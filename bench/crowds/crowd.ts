// Clients of a websocket server by the thousand, as light as can be: they share the machine with what is measured.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { sdpOffer } from '../../test/support/media/offer.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';

const AT_ONCE = 25;
const [TEXT, CLOSE, PING, PONG] = [0x81, 0x88, 0x89, 0x8a];

/** One word that is listened for: how many have heard it, and when the last of them did. */
interface Listening {
  readonly word: Buffer;
  readonly expected: number;
  heard: number;
  /** On the clock of `process.hrtime`, which all processes share. */
  lastAt: bigint;
  readonly done: () => void;
}

let listening: readonly Listening[] = [];
let lost = 0;

function hear(frame: Buffer): void {
  for (const each of listening) {
    if (!frame.includes(each.word)) continue;
    each.lastAt = process.hrtime.bigint();
    if (++each.heard === each.expected) each.done();
  }
}

/** A frame of a client, masked with nothing (RFC 6455 5.3). */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([opcode, ...size, 0, 0, 0, 0]), payload]);
}

/** Calls back with each whole frame, its header left out. Servers send none of 64 kB. */
function readFrames(onFrame: (opcode: number, payload: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let data = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    for (;;) {
      const isLong = (data[1] ?? 0) === 126;
      const start = isLong ? 4 : 2;
      const end = start + (isLong && data.length >= 4 ? data.readUInt16BE(2) : (data[1] ?? 0));
      if (data.length < start || data.length < end) break;
      onFrame(data[0]!, data.subarray(start, end));
      data = data.subarray(end);
    }
    rest = data;
  };
}

/** Done when the socket is open. */
async function openSocket(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname).setNoDelay();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    const key = randomBytes(16).toString('base64');
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nUpgrade: websocket\r\n` +
        `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    socket.once('data', (head) => {
      if (head.includes('HTTP/1.1 101')) resolve();
      else reject(new Error(`the websocket was refused: ${head.toString('latin1').split('\r\n')[0]}`));
    });
  });
  socket.on('close', () => lost++);
  socket.on(
    'data',
    readFrames((opcode, payload) => {
      if (opcode === TEXT) hear(payload);
      else if (opcode === PING) socket.write(frameOf(PONG, payload));
      else if (opcode === CLOSE) socket.end();
    }),
  );
  return socket;
}

/** The whole way in: the director's call, the websocket, and the command that makes a viewer of it. */
async function openViewer(origin: string, token: string): Promise<void> {
  const response = await fetch(`${origin}/api/director/subscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ streamName: 'main', streamAccountId: 'main' }),
  });
  const { data } = (await response.json()) as { data: { urls: string[]; jwt: string } };
  const socket = await openSocket(new URL(`${data.urls[0]}?token=${data.jwt}`));
  const view = { type: 'cmd', transId: 0, name: 'view', data: { streamId: 'main', sdp: sdpOffer() } };
  const answered = new Promise((resolve) => socket.once('data', resolve));
  socket.write(frameOf(TEXT, Buffer.from(JSON.stringify(view))));
  await answered;
}

async function many(count: number, open: () => Promise<unknown>): Promise<void> {
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, open));
  }
}

let heard: readonly Promise<void>[] = [];

const acts = {
  async openViewers({ origin, token, count }: { origin: string; token: string; count: number }): Promise<void> {
    await many(count, () => openViewer(origin, token));
  },
  async openSockets({ url, count }: { url: string; count: number }): Promise<void> {
    await many(count, () => openSocket(new URL(url)));
  },
  /** From now on so many are to hear each of the words. */
  listen({ words, expected }: { words: readonly string[]; expected: number }): void {
    const begin = (word: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      return { promise, listening: { word: Buffer.from(word), expected, heard: 0, lastAt: 0n, done: resolve } };
    };
    const begun = words.map(begin);
    listening = begun.map((each) => each.listening);
    heard = begun.map(({ promise }) => promise);
  },
  /** Done when all have heard all. When the last one heard the first word, in ns; as text, since JSON has no such numbers. */
  async lastHeard(_question: null): Promise<{ at: string; lost: number }> {
    await Promise.all(heard);
    return { at: String(listening[0]?.lastAt ?? 0n), lost };
  },
} satisfies Handlers;

export type Crowd = typeof acts;

handleCalls(acts);
