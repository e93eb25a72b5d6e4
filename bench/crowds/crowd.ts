// Thousands of clients of a websocket server. They are as light as possible, because they share the machine with the
// measured server.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sdpOffer } from '../../test/support/media/offer.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';
import { attempt, NoPictureError, within } from './misses.js';

const AT_ONCE = 25;
const OPEN_WITHIN_MS = 30_000;
/** The time between two groups of reports. */
const PACE_MS = 20;
const [TEXT, CLOSE, PING, PONG] = [0x81, 0x88, 0x89, 0x8a];

/** A text that each socket has to receive. */
interface Expectation {
  readonly text: Buffer;
  received: number;
  /** On the clock of `process.hrtime`, which is the same in all processes. */
  lastAt: bigint;
  readonly complete: () => void;
  readonly completed: Promise<void>;
}

/** A group of sockets of one server. */
interface Group {
  open: number;
  readonly sockets: Set<Socket>;
  expectations: readonly Expectation[];
}

function receive(group: Group, frame: Buffer): void {
  for (const expectation of group.expectations) {
    if (!frame.includes(expectation.text)) continue;
    expectation.lastAt = process.hrtime.bigint();
    if (++expectation.received === group.open) expectation.complete();
  }
}

/** A frame of a client, with a mask of zeros (RFC 6455 5.3). */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([opcode, ...size, 0, 0, 0, 0]), payload]);
}

/** Calls back with the payload of each complete frame. Frames of 64 kB and more are not supported. */
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

/** Resolves when the socket is open. */
async function openSocket(group: Group, url: URL): Promise<Socket> {
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
  group.open += 1;
  group.sockets.add(socket);
  socket.on('close', () => {
    group.open -= 1;
    group.sockets.delete(socket);
  });
  socket.on(
    'data',
    readFrames((opcode, payload) => {
      if (opcode === TEXT) receive(group, payload);
      else if (opcode === PING) socket.write(frameOf(PONG, payload));
      else if (opcode === CLOSE) socket.end();
    }),
  );
  return socket;
}

/** Makes the director's call, opens a websocket and sends the command `view`. */
async function openViewer(group: Group, origin: string, token: string): Promise<void> {
  const response = await fetch(`${origin}/api/director/subscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ streamName: 'main', streamAccountId: 'main' }),
  });
  if (!response.ok) throw new Error(`the director answered with status ${response.status}`);
  const { data } = (await response.json()) as { data: { urls: string[]; jwt: string } };
  const socket = await openSocket(group, new URL(`${data.urls[0]}?token=${data.jwt}`));
  const view = { type: 'cmd', transId: 0, name: 'view', data: { streamId: 'main', sdp: sdpOffer() } };
  const answered = new Promise((resolve) => socket.once('data', resolve));
  socket.write(frameOf(TEXT, Buffer.from(JSON.stringify(view))));
  await answered;
}

/** The report of a viewer that has watched for so long, with a freeze now and then. */
function reportFrame(playedMs: number): Buffer {
  const data = {
    height: 720,
    framesPerSecond: 30,
    roundTrip: 0.041,
    packets: playedMs / 4,
    lost: Math.floor(playedMs / 5_000),
    freezes: Math.floor(playedMs / 60_000),
    frozen: Math.floor(playedMs / 60_000) * 0.75,
    first: 412,
    played: playedMs,
  };
  return frameOf(TEXT, Buffer.from(JSON.stringify({ type: 'cmd', name: 'report', data })));
}

/** Opens connections, a few at a time. On a loaded machine some may fail: the group counts those that are open. */
async function openMany(count: number, open: () => Promise<unknown>): Promise<void> {
  const openOne = async (): Promise<unknown> => {
    const opening = within(OPEN_WITHIN_MS, open(), 'a connection').catch((error: unknown) => {
      throw new NoPictureError(String(error), { cause: error });
    });
    return attempt(opening);
  };
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, openOne));
  }
}

const groups = {
  viewers: { open: 0, sockets: new Set(), expectations: [] } as Group,
  sockets: { open: 0, sockets: new Set(), expectations: [] } as Group,
};
export type GroupName = keyof typeof groups;

const handlers = {
  async openViewers({ origin, token, count }: { origin: string; token: string; count: number }): Promise<void> {
    await openMany(count, () => openViewer(groups.viewers, origin, token));
  },
  async openSockets({ url, count }: { url: string; count: number }): Promise<void> {
    await openMany(count, () => openSocket(groups.sockets, new URL(url)));
  },
  openCount: (group: GroupName): number => groups[group].open,
  /** From now on each open socket of the group is expected to receive each of these texts. */
  expectTexts({ group, texts }: { group: GroupName; texts: readonly string[] }): void {
    groups[group].expectations = texts.map((text) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      return { text: Buffer.from(text), received: 0, lastAt: 0n, complete: resolve, completed: promise };
    });
  },
  /**
   * Waits until each socket has received each text.
   * @returns when the last socket received the first text, in ns as a string, because JSON has no bigint; null if some
   * text is still missing after `withinMs`
   */
  async lastReceived({ group, withinMs }: { group: GroupName; withinMs: number }): Promise<string | null> {
    const { expectations } = groups[group];
    const all = Promise.all(expectations.map(({ completed }) => completed));
    const result = await attempt(within(withinMs, all, 'an event'));
    return result instanceof Error ? null : String(expectations[0]?.lastAt ?? 0n);
  },
  /**
   * Each viewer reports what it sees once in `everyMs`, evenly spread, for `lastsMs`.
   * @param everyMs 0: nobody reports
   * @returns how many reports were sent
   */
  async report({ everyMs, lastsMs }: { everyMs: number; lastsMs: number }): Promise<number> {
    const startedAt = performance.now();
    const viewers = [...groups.viewers.sockets];
    let sent = 0;
    for (;;) {
      await sleep(PACE_MS);
      const passedMs = Math.min(performance.now() - startedAt, lastsMs);
      const due = everyMs === 0 ? 0 : Math.floor((viewers.length * passedMs) / everyMs);
      for (; sent < due; sent++) {
        const turn = Math.floor(sent / viewers.length) + 1;
        viewers[sent % viewers.length]!.write(reportFrame(turn * everyMs));
      }
      if (passedMs >= lastsMs) return sent;
    }
  },
} satisfies Handlers;

export type Crowd = typeof handlers;

handleCalls(handlers);
