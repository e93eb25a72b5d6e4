import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { it, type TestContext } from 'node:test';
import { createSocketDirectory } from '../../../../../server/media/embedded/relay/socket-directory.js';
import { WorkerProcess } from '../../../../../server/media/embedded/worker/worker-process.js';
import { readOffer } from '../../../../../server/media/sdp/offer.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RtpPeer } from '../../../../support/media/rtp-peer.js';
import { until } from '../../../../support/media/until.js';

/** Networks carry no larger packet. */
const PACKET = 1_500;
/** As long as any other 64 kB may take: 20 ms. */
const MAX_MS = (20 * PACKET) / (64 * 1024);
const WARM_UP = 1_000;
const PACKETS = 3_000;
const ROUNDS = 5;
/** The receive buffer of a socket holds these. */
const BURST = 50;
/** What the allocator and the heap of the process may differ by. What stays of each packet is a hundredth of it. */
const MAX_GROWTH = (PACKETS * PACKET) / 2;

const COOKIE = [0x21, 0x12, 0xa4, 0x42];
const STUN_HEADER = 20;

/** @param type of the message: a binding request is 1 @param length as the header declares it, if that is a lie */
function stun(attributes: Buffer, { type = 1, length = attributes.length } = {}): Buffer {
  const id = Array.from({ length: 12 }, () => Math.floor(Math.random() * 256));
  return Buffer.concat([
    Buffer.from([type >> 8, type & 0xff, length >> 8, length & 0xff, ...COOKIE, ...id]),
    attributes,
  ]);
}

function attribute(type: number, value: Buffer, length = value.length): Buffer {
  const bytes = Buffer.alloc(4 + value.length + ((4 - (value.length % 4)) % 4));
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(length, 2);
  value.copy(bytes, 4);
  return bytes;
}

function filled(element: Buffer, room: number): Buffer {
  const count = Math.floor(room / element.length);
  return Buffer.concat(Array<Buffer>(count).fill(element));
}

const NONE = Buffer.alloc(0);
const USERNAME = 0x0006;
const MESSAGE_INTEGRITY = 0x0008;
const OPTIONAL = 0x8022;
const username = (ufrag: string): Buffer => attribute(USERNAME, Buffer.from(`${ufrag}:abcd`));
const room = PACKET - STUN_HEADER;
/** A record of DTLS 1.2 in the first epoch. */
function dtls(type: number, body: Buffer, length = body.length): Buffer {
  return Buffer.concat([Buffer.from([type, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 1, length >> 8, length & 0xff]), body]);
}
/** With as many cipher suites as fit. */
function clientHello(): Buffer {
  const suites = 1_300;
  const hello = Buffer.alloc(12 + 2 + 32 + 2 + 2 + suites + 2);
  hello.set([1, 0, (hello.length - 12) >> 8, (hello.length - 12) & 0xff]);
  hello.writeUIntBE(hello.length - 12, 9, 3);
  hello.set([0xfe, 0xfd], 12);
  hello.writeUInt16BE(suites, 48);
  hello.set([1, 0], 50 + suites);
  return hello;
}

/** What anybody can send to the port of a media process. `ufrag` is of a session that waits for its peer. */
const SHAPES: Readonly<Record<string, (ufrag: string) => Buffer>> = {
  'binding requests without attributes': () => stun(NONE),
  'binding requests of many attributes, for an unknown ufrag': () =>
    stun(Buffer.concat([username('unknown'), filled(attribute(OPTIONAL, NONE), room - 16)])),
  'binding requests of many attributes, for a session': (ufrag) =>
    stun(Buffer.concat([username(ufrag), filled(attribute(OPTIONAL, NONE), room - 32)])),
  'binding requests with many usernames': (ufrag) => stun(filled(username(ufrag), room)),
  'binding requests with a long username': () => stun(attribute(USERNAME, Buffer.alloc(room - 4, 'a'))),
  'binding requests with a wrong integrity': (ufrag) =>
    stun(Buffer.concat([username(ufrag), attribute(MESSAGE_INTEGRITY, Buffer.alloc(20, 1))])),
  'binding requests with many integrities': (ufrag) =>
    stun(Buffer.concat([username(ufrag), filled(attribute(MESSAGE_INTEGRITY, Buffer.alloc(20, 1)), room - 32)])),
  'binding requests whose attributes must be understood': (ufrag) =>
    stun(Buffer.concat([username(ufrag), filled(attribute(0x7fff, NONE), room - 32)])),
  'binding requests that say that they are longer': () => stun(username('unknown'), { length: 0xfffc }),
  'attributes that say that they are longer': () => stun(attribute(USERNAME, Buffer.from('abcd'), 0xffff)),
  'binding responses': () => stun(filled(attribute(OPTIONAL, NONE), room), { type: 0x0101 }),
  'client hellos of an unknown peer': () => dtls(22, clientHello()),
  'many records of DTLS': () => filled(dtls(22, NONE), PACKET),
  'records of DTLS that say that they are longer': () => dtls(23, Buffer.alloc(100), 0xffff),
  'RTP of an unknown peer': () => Buffer.concat([Buffer.from([0x80, 96]), Buffer.alloc(PACKET - 2, 7)]),
  'RTCP of an unknown peer': () => filled(Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 0]), PACKET),
  'channel data': () => Buffer.alloc(PACKET, 0x40),
  'single bytes': () => Buffer.from([22]),
  garbage: () => Buffer.from(Array.from({ length: PACKET }, () => Math.floor(Math.random() * 256))),
};

/** CPU time of all threads of a process, in ms. */
function cpuMsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [onCpu] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(onCpu) / 1e6;
  }, 0);
}

function memoryOf(pid: number): number {
  const [, kB] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kB) * 1024;
}

/** Of the socket at a UDP port: the bytes that wait, and the packets that found no room. */
function queueOf(port: number): { readonly waiting: number; readonly dropped: number } {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const find = () => {
    const lines = readFileSync('/proc/net/udp', 'utf8').split('\n');
    return lines.map((line) => line.trim().split(/\s+/)).find((each) => each[1]?.endsWith(`:${hex}`));
  };
  let fields = find();
  // The list is read in parts: a socket may be missing in it while others are opened and closed.
  for (let more = 100; more > 0 && !fields; more -= 1) fields = find();
  assert.ok(fields, 'the media process has the port');
  return { waiting: Number.parseInt(fields[4]!.split(':')[1]!, 16), dropped: Number(fields.at(-1)) };
}

async function openWorker(t: TestContext) {
  const directory = await createSocketDirectory();
  const { process: worker, ports } = await WorkerProcess.start({
    sfu: { bindAddress: '127.0.0.1', udpPort: 0 },
    relayPath: directory.newPath(),
    sandbox: undefined,
  });
  // As many addresses as a stranger's machine has ports.
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      return socket;
    }),
  );
  t.after(async () => {
    for (const socket of sockets) socket.close();
    await worker.close();
    await directory.remove();
  });
  return { worker, pid: worker.pid!, port: ports.udpPort, sockets };
}

const sent = (socket: Socket, packet: Buffer, port: number): Promise<void> =>
  new Promise((resolve, reject) =>
    socket.send(packet, port, '127.0.0.1', (error) => (error ? reject(error) : resolve())),
  );

it('packets of strangers cost a media process little time and no memory, and others connect', async (t) => {
  // Elsewhere there is no /proc.
  if (process.platform !== 'linux') return;
  const { worker, pid, port, sockets } = await openWorker(t);
  const { answer } = await worker.request('viewing', {
    type: 'view',
    stream: 's',
    offer: readOffer(sdpOffer()),
    options: {},
  });
  const ufrag = /a=ice-ufrag:(\S+)/.exec(answer)![1]!;
  const send = async (shape: (ufrag: string) => Buffer, count: number): Promise<void> => {
    for (let index = 0; index < count; index += BURST) {
      const packets = Array.from({ length: BURST }, (_, at) => sent(sockets[at % 20]!, shape(ufrag), port));
      await Promise.all(packets);
      await until('the process has read them', () => queueOf(port).waiting === 0);
    }
  };
  for (const [name, shape] of Object.entries(SHAPES)) {
    await send(shape, WARM_UP);
    const grown: number[] = [];
    // What is kept of packets grows in each round; the allocator and the heap grow in some.
    do {
      const before = { ms: cpuMsOf(pid), bytes: memoryOf(pid), ...queueOf(port) };
      await send(shape, PACKETS);
      const read = PACKETS - (queueOf(port).dropped - before.dropped);
      assert.ok(read > PACKETS / 2, `${name}: only ${read} were read`);
      const ms = (cpuMsOf(pid) - before.ms) / read;
      assert.ok(ms < MAX_MS, `${name}: ${ms} ms of CPU for each`);
      grown.push(memoryOf(pid) - before.bytes);
    } while (grown.at(-1)! >= MAX_GROWTH && grown.length < ROUNDS);
    assert.ok(Math.min(...grown) < MAX_GROWTH, `${name}: ${grown.join(', ')} bytes more memory after ${PACKETS} each`);
  }
  const peer = await RtpPeer.open({ role: 'viewer' });
  t.after(() => peer.close());
  const viewed = await worker.request('viewing', {
    type: 'view',
    stream: 's',
    offer: readOffer(peer.offer),
    options: {},
  });
  await assert.doesNotReject(peer.accept(viewed));
});
