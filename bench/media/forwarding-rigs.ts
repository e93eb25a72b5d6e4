import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../scripts/build.js';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { admitViewers } from './admit-viewers.js';
import { DelayHistogram } from './delay-histogram.js';
import { CalledProcessError, BenchProcess, type Handlers, type ProcessOptions } from '../support/bench-process.js';
import type { Datagrams } from './forwarders/datagrams.js';
import type { Forwarder } from './forwarders/forwarder.js';
import { installPeers, nodeFor } from '../support/peers.js';
import { processCost } from '../support/process-cost.js';
import { negotiatedCipher } from './negotiated-cipher.js';
import { LOOPBACK, type NetworkPath } from './network-path.js';
import type { Receivers } from './receivers.js';
import { VideoSender } from './video-sender.js';

/** What a rig measures. */
export interface RigName {
  /** Begins the names of its figures. */
  readonly name: string;
  readonly what: string;
}

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

interface RigParts {
  readonly path: NetworkPath;
  readonly cipher: string;
  /** The forwarder, whose CPU time is measured. */
  readonly process: BenchProcess<Handlers>;
  readonly receivers: BenchProcess<Receivers>;
  readonly send: (packet: Buffer) => void;
}

/** A forwarder with a publisher and viewers of its own. */
export abstract class Rig {
  readonly name: string;
  readonly what: string;
  /** How packets are encrypted for the viewers. */
  readonly cipher: string;
  protected readonly path: NetworkPath;
  protected readonly receivers: BenchProcess<Receivers>;
  readonly #process: BenchProcess<Handlers>;
  readonly #sender: VideoSender;
  #viewers = 0;
  #refused = 0;
  #addresses = 0;

  protected constructor({ name, what }: RigName, { path, cipher, process, receivers, send }: RigParts) {
    this.name = name;
    this.what = what;
    this.cipher = cipher;
    this.path = path;
    this.#process = process;
    this.receivers = receivers;
    this.#sender = new VideoSender(send);
  }

  /** For further viewers: refused viewers do not return theirs. */
  protected nextAddresses(count: number): readonly string[] {
    return Array.from({ length: count }, () => this.path.viewerAddress(this.#addresses++));
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
    await this.receivers.call('begin', null);
    const before = await processCost(this.#process.pid);
    const sent = await this.#sender.sendFor(ms, packetsPerFrame);
    await sleep(TRAILING_MS);
    const after = await processCost(this.#process.pid);
    const delays = new DelayHistogram();
    delays.addAll((await this.receivers.call('collect', null)).delays);
    const { packets } = delays;
    return {
      // NaN if no packet arrived.
      cpuMicrosPerPacket: packets > 0 ? (after.cpuMicros - before.cpuMicros) / packets : Number.NaN,
      delivered: this.#viewers > 0 ? packets / (sent * this.#viewers) : Number.NaN,
      p50Ms: delays.atMost(0.5),
      p99Ms: delays.atMost(0.99),
    };
  }

  async residentBytes(): Promise<number> {
    return (await processCost(this.#process.pid)).residentBytes;
  }

  async close(): Promise<void> {
    await Promise.all([this.#process.stop(), this.receivers.stop()]);
  }
}

export interface MediaRigOptions extends Pick<ProcessOptions, 'node' | 'args'> {
  /** Default: loopback. */
  readonly path?: NetworkPath;
  /** What viewers offer. Default: what browsers choose. `any`: what our engine and its own library choose. */
  readonly ciphers?: 'browser' | 'any';
}

const openReceivers = ({ viewerCommand: command }: NetworkPath, ciphers: MediaRigOptions['ciphers'] = 'browser') =>
  BenchProcess.start<Receivers>('media/receivers.ts', {
    command,
    preload: ciphers === 'browser' ? 'media/browser-cipher.ts' : undefined,
  });

/** A rig with encryption: its publisher and viewers are real transports. */
export class MediaRig extends Rig {
  readonly #forwarder: BenchProcess<Forwarder>;
  readonly #publisher: RtpPeer;
  #hasRefused = false;

  /** @param file below `forwarders` */
  static async open(
    named: RigName,
    file: string,
    { node, args = [], path = LOOPBACK, ciphers }: MediaRigOptions = {},
  ): Promise<MediaRig> {
    const module = `media/forwarders/${file}`;
    const run = { ...(node === undefined ? {} : { node }), args: [path.serverAddress, ...args] };
    const cipher = await negotiatedCipher(module, run, await openReceivers(path, ciphers), path);
    const forwarder = await BenchProcess.start<Forwarder>(module, run);
    const receivers = await openReceivers(path, ciphers);
    const publisher = await RtpPeer.open({ role: 'publisher', address: path.serverAddress });
    await publisher.accept({ answer: await forwarder.call('publish', publisher.offer) });
    return new MediaRig(named, { path, cipher, receivers }, forwarder, publisher);
  }

  private constructor(
    named: RigName,
    parts: Pick<RigParts, 'path' | 'cipher' | 'receivers'>,
    forwarder: BenchProcess<Forwarder>,
    publisher: RtpPeer,
  ) {
    super(named, { ...parts, process: forwarder, send: (packet) => publisher.send(packet) });
    this.#forwarder = forwarder;
    this.#publisher = publisher;
  }

  protected override async connect(viewers: number): Promise<number> {
    const { serverAddress } = this.path;
    const addresses = this.nextAddresses(viewers);
    const { first, offers } = await this.receivers.call('openViewers', { addresses, serverAddress });
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

  static async open(named: RigName, path: NetworkPath): Promise<DatagramRig> {
    const { serverAddress } = path;
    const datagrams = await BenchProcess.start<Datagrams>('media/forwarders/datagrams.ts', { args: [serverAddress] });
    const receivers = await openReceivers(path);
    const port = await datagrams.call('port', null);
    const socket = createSocket('udp4').unref();
    const send = (packet: Buffer) => socket.send(packet, port, serverAddress);
    return new DatagramRig(named, { path, cipher: 'none', process: datagrams, receivers, send }, datagrams);
  }

  private constructor(named: RigName, parts: RigParts, datagrams: BenchProcess<Datagrams>) {
    super(named, parts);
    this.#datagrams = datagrams;
  }

  protected override async connect(viewers: number): Promise<number> {
    const addresses = this.nextAddresses(viewers);
    const ports = await this.receivers.call('openSockets', addresses);
    await this.#datagrams.call(
      'sendTo',
      addresses.map((address, index) => ({ address, port: ports[index]! })),
    );
    return viewers;
  }
}

/**
 * Opens the rigs: our engine in one process like the others, medooze if this machine can run it, and what a packet costs
 * at least. On loopback also werift, and our engine with the default number of processes.
 * @param install whether to install missing packages. One of them compiles for minutes.
 */
export async function openRigs(path: NetworkPath, { install }: { readonly install: boolean }): Promise<readonly Rig[]> {
  await build({ ifNeeded: true });
  if (install) await installPeers();
  const rigs: Rig[] = [await MediaRig.open({ name: 'ours', what: 'our engine' }, 'streamgate.ts', { path })];
  const node = nodeFor('medooze-media-server');
  if (node) {
    const named = { name: 'medooze', what: 'medooze-media-server 1.156.2' };
    rigs.push(await MediaRig.open(named, 'medooze.ts', { node, path }));
  }
  rigs.push(await DatagramRig.open({ name: 'plain', what: 'a plain dgram fan-out without encryption' }, path));
  rigs.push(await MediaRig.open({ name: 'bare', what: 'our transports alone' }, 'bare.ts', { path }));
  if (path !== LOOPBACK) return rigs;
  const otherCipher = { name: 'gcm', what: 'our engine with another cipher' };
  rigs.push(await MediaRig.open(otherCipher, 'streamgate.ts', { path, ciphers: 'any' }));
  const werift = { name: 'werift', what: 'werift 0.25.2' };
  if (nodeFor('werift')) rigs.push(await MediaRig.open(werift, 'werift.ts', { path }));
  const everyCore = { name: 'everyCore', what: 'our engine with a process for each core' };
  rigs.push(await MediaRig.open(everyCore, 'streamgate.ts', { args: ['workers'], path }));
  return rigs;
}
