import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../scripts/build.js';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { admitViewers } from './admit-viewers.js';
import { CalledProcessError, BenchProcess, type Handlers } from '../support/bench-process.js';
import type { Datagrams } from './forwarders/datagrams.js';
import type { Forwarder } from './forwarders/forwarder.js';
import { installPeers, nodeFor } from '../support/peers.js';
import { processCost } from '../support/process-cost.js';
import type { Receivers } from './receivers.js';
import { VideoSender } from './video-sender.js';

export interface Round {
  /** CPU time for each packet that arrived. */
  readonly cpuMicrosPerPacket: number;
  /** The share of the packets that arrived. */
  readonly delivered: number;
  /** The delay from the publisher to a viewer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Packets are sent before each round, so that the rig does not start from idle: the other rigs had their turns. */
const LEAD_IN_MS = 1_200;
/** How long an admitted viewer may take to connect. */
const CONNECTED_WITHIN_MS = 20_000;
/** The wait for packets that are still in transit when the publisher stops. */
const TRAILING_MS = 300;

/** A forwarder with a publisher and viewers of its own. */
export abstract class Rig {
  readonly name: string;
  readonly what: string;
  protected readonly receivers: BenchProcess<Receivers>;
  readonly #process: BenchProcess<Handlers>;
  readonly #sender: VideoSender;
  #viewers = 0;
  #refused = 0;

  /** @param process the forwarder, whose CPU time is measured */
  protected constructor(
    { name, what }: { name: string; what: string },
    process: BenchProcess<Handlers>,
    receivers: BenchProcess<Receivers>,
    send: (packet: Buffer) => void,
  ) {
    this.name = name;
    this.what = what;
    this.#process = process;
    this.receivers = receivers;
    this.#sender = new VideoSender(send);
  }

  /** Connects viewers until there are `viewers` in all. There may be fewer, if some are refused. */
  async grow(viewers: number): Promise<void> {
    const { admitted, refused } = await admitViewers(viewers - this.#viewers, (count) => this.connect(count));
    this.#viewers += admitted;
    this.#refused += refused;
  }

  /** @returns how many of `viewers` are missing, and the number of refusals so far */
  absent(viewers: number): { readonly missing: number; readonly refused: number } {
    return { missing: viewers - this.#viewers, refused: this.#refused };
  }

  /** @returns how many were admitted */
  protected abstract connect(viewers: number): Promise<number>;

  /** Sends for `ms`, and counts what the receivers get. */
  async measure(ms: number, packetsPerFrame: number): Promise<Round> {
    await this.#sender.sendFor(LEAD_IN_MS, packetsPerFrame);
    await this.receivers.call('collect', null);
    const before = await processCost(this.#process.pid);
    const sent = await this.#sender.sendFor(ms, packetsPerFrame);
    await sleep(TRAILING_MS);
    const after = await processCost(this.#process.pid);
    const { packets, delay } = await this.receivers.call('collect', null);
    return {
      // NaN if no packet arrived.
      cpuMicrosPerPacket: packets > 0 ? (after.cpuMicros - before.cpuMicros) / packets : Number.NaN,
      delivered: this.#viewers > 0 ? packets / (sent * this.#viewers) : Number.NaN,
      p50Ms: delay.p50,
      p99Ms: delay.p99,
    };
  }

  async residentBytes(): Promise<number> {
    return (await processCost(this.#process.pid)).residentBytes;
  }

  async close(): Promise<void> {
    await Promise.all([this.#process.stop(), this.receivers.stop()]);
  }
}

/** A rig with encryption: its publisher and viewers are real transports. */
export class MediaRig extends Rig {
  readonly #forwarder: BenchProcess<Forwarder>;
  readonly #publisher: RtpPeer;
  #hasRefused = false;

  static async open(
    named: { name: string; what: string },
    file: string,
    run: { node?: string; args?: readonly string[] } = {},
  ): Promise<MediaRig> {
    const forwarder = await BenchProcess.start<Forwarder>(`media/forwarders/${file}`, run);
    const receivers = await BenchProcess.start<Receivers>('media/receivers.ts');
    const publisher = await RtpPeer.open({ role: 'publisher' });
    await publisher.accept({ answer: await forwarder.call('publish', publisher.offer) });
    return new MediaRig(named, forwarder, receivers, publisher);
  }

  private constructor(
    named: { name: string; what: string },
    forwarder: BenchProcess<Forwarder>,
    receivers: BenchProcess<Receivers>,
    publisher: RtpPeer,
  ) {
    super(named, forwarder, receivers, (packet) => publisher.send(packet));
    this.#forwarder = forwarder;
    this.#publisher = publisher;
  }

  protected override async connect(viewers: number): Promise<number> {
    const { first, offers } = await this.receivers.call('openViewers', viewers);
    const answers = await Promise.all(offers.map((offer) => this.#view(offer)));
    return await this.receivers.call('accept', { first, answers, withinMs: CONNECTED_WITHIN_MS });
  }

  /** @returns null if the viewer is refused */
  async #view(offer: string): Promise<string | null> {
    try {
      return await this.#forwarder.call('view', offer);
    } catch (error) {
      if (!(error instanceof CalledProcessError)) throw error;
      if (!this.#hasRefused) process.stderr.write(`${this.what} refused a viewer: ${error.message}\n`);
      this.#hasRefused = true;
      return null;
    }
  }

  override async close(): Promise<void> {
    this.#publisher.close();
    await super.close();
  }
}

/** A rig without encryption. */
class DatagramRig extends Rig {
  readonly #datagrams: BenchProcess<Datagrams>;

  static async open(named: { name: string; what: string }): Promise<DatagramRig> {
    const datagrams = await BenchProcess.start<Datagrams>('media/forwarders/datagrams.ts');
    const receivers = await BenchProcess.start<Receivers>('media/receivers.ts');
    const port = await datagrams.call('port', null);
    const socket = createSocket('udp4').unref();
    return new DatagramRig(named, datagrams, receivers, (packet) => socket.send(packet, port, '127.0.0.1'));
  }

  private constructor(
    named: { name: string; what: string },
    datagrams: BenchProcess<Datagrams>,
    receivers: BenchProcess<Receivers>,
    send: (packet: Buffer) => void,
  ) {
    super(named, datagrams, receivers, send);
    this.#datagrams = datagrams;
  }

  protected override async connect(viewers: number): Promise<number> {
    await this.#datagrams.call('sendTo', await this.receivers.call('openSockets', viewers));
    return viewers;
  }
}

/**
 * Opens the rigs: our engine in one process like the others, the other forwarders that this machine can run, and our
 * engine with the default number of processes.
 * @param install whether to install missing packages. One of them compiles for minutes.
 */
export async function openRigs({ install }: { readonly install: boolean }): Promise<readonly Rig[]> {
  await build({ ifNeeded: true });
  if (install) await installPeers();
  const rigs: Rig[] = [await MediaRig.open({ name: 'ours', what: 'our engine' }, 'streamgate.ts')];
  const node = nodeFor('medooze-media-server');
  if (node) {
    const named = { name: 'medooze', what: 'medooze-media-server 1.156.2' };
    rigs.push(await MediaRig.open(named, 'medooze.ts', { node }));
  }
  if (nodeFor('werift')) rigs.push(await MediaRig.open({ name: 'werift', what: 'werift 0.25.2' }, 'werift.ts'));
  rigs.push(await DatagramRig.open({ name: 'plain', what: 'a plain dgram fan-out without encryption' }));
  rigs.push(await MediaRig.open({ name: 'bare', what: 'our transports alone' }, 'bare.ts'));
  const everyCore = { name: 'everyCore', what: 'our engine with a process for each core' };
  rigs.push(await MediaRig.open(everyCore, 'streamgate.ts', { args: ['workers'] }));
  return rigs;
}
