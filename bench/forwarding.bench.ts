import { fork, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { createEmbeddedEngine } from '../server/media/embedded/embedded-engine.js';
import { KEYFRAME_PAYLOADS, rtpPacket } from '../test/support/media/rtp.js';
import { RtpPeer } from '../test/support/media/rtp-peer.js';
import type { BenchResult } from './bench-result.js';
import type { ReceiverAnswer, ReceiverQuestion } from './support/forwarding-receivers.js';
import { processCost } from './support/process-cost.js';

const VIEWERS = 100;
const PACKETS_PER_SECOND = 200;
const PACKET_BYTES = 1_100;
const ROUNDS = 3;
const ROUND_MS = 4_000;
const CONNECTING_AT_ONCE = 20;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const startProcess = (file: string) =>
  fork(join(import.meta.dirname, 'support', file), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });

/**
 * What the engine's process costs for each packet that arrives at a viewer, against Node's own `dgram` sending the
 * same packets to as many sockets in the clear. Rounds alternate, so that a busy moment of the machine touches both.
 */
export async function run(): Promise<BenchResult> {
  const engine = await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0 });
  const receivers = startProcess('forwarding-receivers.ts');
  const fanOut = startProcess('udp-fan-out.ts');
  const publisher = await RtpPeer.open({ role: 'publisher' });
  const ask = questioner(receivers);
  try {
    const sendDatagram = await prepareFanOut(fanOut, ask);
    await publisher.accept(await engine.publish('bench', publisher.offer));
    let sequence = 0;
    const sendRtp = () => publisher.send(videoPacket(sequence++));
    await sendFor(1_000, sendRtp);
    const { residentBytes: withoutViewers } = await processCost(engine.pid!);
    for (let open = 0; open < VIEWERS; open += CONNECTING_AT_ONCE) {
      await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, () => connectViewer(engine, ask)));
    }
    await sendFor(2_000, sendRtp);
    const { residentBytes: withViewers } = await processCost(engine.pid!);

    const rounds: Record<'ours' | 'plain', Round[]> = { ours: [], plain: [] };
    for (let round = 0; round < ROUNDS; round++) {
      rounds.ours.push(await measure(engine.pid!, sendRtp, ask));
      rounds.plain.push(await measure(fanOut.pid!, sendDatagram, ask));
    }
    const figure = (whose: Round[], key: keyof Round) => median(whose.map((round) => round[key]));
    const ours = figure(rounds.ours, 'cpuMicrosPerPacket');
    const plain = figure(rounds.plain, 'cpuMicrosPerPacket');
    return {
      name: 'forwarding',
      ratio: ours / plain,
      against: 'the CPU time per packet of a plain dgram fan-out without encryption',
      figures: {
        cpuMicrosPerPacket: ours,
        plainCpuMicrosPerPacket: plain,
        cpuShareOfOneCore: figure(rounds.ours, 'cpuShare'),
        delivered: figure(rounds.ours, 'delivered'),
        plainDelivered: figure(rounds.plain, 'delivered'),
        megabytesPerViewer: (withViewers - withoutViewers) / VIEWERS / 2 ** 20,
        viewers: VIEWERS,
        packetsPerSecond: PACKETS_PER_SECOND,
      },
    };
  } finally {
    publisher.close();
    receivers.disconnect();
    fanOut.disconnect();
    await engine.close();
  }
}

interface Round {
  readonly cpuMicrosPerPacket: number;
  /** Of one core. */
  readonly cpuShare: number;
  /** Of the packets that should have arrived. */
  readonly delivered: number;
}

type Ask = (question: ReceiverQuestion) => Promise<ReceiverAnswer>;

/** Sends for a while, and has what arrives counted by those who receive it. */
async function measure(pid: number, send: () => void, ask: Ask): Promise<Round> {
  const count = async () => (await ask({ type: 'count' })).received!;
  const [before, startedWith] = [await processCost(pid), await count()];
  const sent = await sendFor(ROUND_MS, send);
  await sleep(200);
  const received = (await count()) - startedWith;
  const cpuMicros = (await processCost(pid)).cpuMicros - before.cpuMicros;
  return {
    cpuMicrosPerPacket: cpuMicros / received,
    cpuShare: cpuMicros / (ROUND_MS * 1_000),
    delivered: received / (sent * VIEWERS),
  };
}

/** Paced by the clock, not by the timer: a late turn sends what is due. Answers how many. */
async function sendFor(ms: number, send: () => void): Promise<number> {
  const start = performance.now();
  let sent = 0;
  while (performance.now() - start < ms) {
    const due = ((performance.now() - start) * PACKETS_PER_SECOND) / 1_000;
    for (; sent < due; sent++) send();
    await sleep(2);
  }
  return sent;
}

async function connectViewer(engine: Awaited<ReturnType<typeof createEmbeddedEngine>>, ask: Ask): Promise<void> {
  const { viewer, offer } = await ask({ type: 'open-viewer' });
  const { answer } = await engine.view('bench', offer!);
  await ask({ type: 'accept', viewer: viewer!, answer });
}

async function prepareFanOut(fanOut: ChildProcess, ask: Ask): Promise<() => void> {
  const [port] = (await once(fanOut, 'message')) as [number];
  fanOut.send((await ask({ type: 'open-sockets', count: VIEWERS })).ports!);
  const socket = createSocket('udp4').unref();
  return () => socket.send(videoPacket(0), port, '127.0.0.1');
}

/** A keyframe every second, as late viewers need one to begin with. */
function videoPacket(sequence: number): Buffer {
  const payload = Buffer.alloc(PACKET_BYTES - 12, 1);
  if (sequence % PACKETS_PER_SECOND === 0) KEYFRAME_PAYLOADS.vp8.copy(payload);
  return rtpPacket({ sequence, timestamp: sequence * 450, ssrc: 1002, payload });
}

function questioner(receivers: ChildProcess): Ask {
  let last = 0;
  const open = new Map<number, (answer: ReceiverAnswer) => void>();
  receivers.on('message', ({ id, answer }: { id: number; answer: ReceiverAnswer }) => {
    open.get(id)?.(answer);
    open.delete(id);
  });
  return (question) =>
    new Promise((resolve) => {
      open.set(++last, resolve);
      receivers.send({ id: last, question });
    });
}
