import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { SimulatedPath, type PathConditions } from './simulated-path.js';

export interface LossyNetworkOptions {
  /** Where packets go on to, on the loopback address. */
  readonly target: number;
  /** What the path does to what clients send; absent: a good path without delay. */
  readonly up?: Partial<PathConditions>;
  /** And to what they are sent. */
  readonly down?: Partial<PathConditions>;
  readonly seed?: number;
}

const LOOPBACK = '127.0.0.1';
const PERFECT: Partial<PathConditions> = { delay: 0 };

/**
 * A bad network on the loopback address, between clients and a server's UDP port. It knows nothing of what it carries,
 * so that packets are lost below SRTP: one that is dropped after decryption could never be sent again. Each client is
 * passed on from a port of its own, as a server tells peers apart by their addresses.
 */
export class LossyNetwork {
  readonly port: number;
  readonly counts = { passed: 0, dropped: 0 };
  readonly #socket: Socket;
  readonly #target: number;
  readonly #up: Direction;
  readonly #down: Direction;
  /** By the client's address and port. */
  readonly #onward = new Map<string, Socket>();
  readonly #forgotten = new Set<string>();

  static async open(options: LossyNetworkOptions): Promise<LossyNetwork> {
    const socket = createSocket('udp4');
    socket.bind(0, LOOPBACK);
    await once(socket, 'listening');
    return new LossyNetwork(socket, options);
  }

  private constructor(socket: Socket, { target, up = PERFECT, down = PERFECT, seed = 1 }: LossyNetworkOptions) {
    this.#socket = socket;
    this.#target = target;
    this.#up = new Direction({ ...PERFECT, ...up }, seed, this.counts);
    this.#down = new Direction({ ...PERFECT, ...down }, seed + 1, this.counts);
    this.port = socket.address().port;
    socket.on('message', (packet, client) => {
      const onward = this.#onwardOf(client.address, client.port);
      if (this.#forgotten.has(`${client.address} ${client.port}`)) return;
      this.#up.pass(packet.length, () => onward.send(packet, this.#target, LOOPBACK));
    });
  }

  /** May be changed while packets pass. */
  get up(): PathConditions {
    return this.#up.path.conditions;
  }

  get down(): PathConditions {
    return this.#down.path.conditions;
  }

  /** Nothing passes any more to or from those who were here, as when a router forgets them. Who comes anew gets through. */
  dropMappings(): void {
    for (const client of this.#onward.keys()) this.#forgotten.add(client);
  }

  close(): void {
    this.#up.close();
    this.#down.close();
    for (const socket of [this.#socket, ...this.#onward.values()]) socket.close();
    this.#onward.clear();
  }

  #onwardOf(address: string, port: number): Socket {
    const client = `${address} ${port}`;
    const known = this.#onward.get(client);
    if (known) return known;
    const onward = createSocket('udp4');
    // A server that is gone says so on each packet: to a network that is no news.
    onward.on('error', () => {});
    onward.on('message', (packet) => {
      if (this.#forgotten.has(client)) return;
      this.#down.pass(packet.length, () => this.#socket.send(packet, port, address));
    });
    this.#onward.set(client, onward);
    return onward;
  }
}

/** What is under way in one direction, in the order of its arrival. */
class Direction {
  readonly path: SimulatedPath;
  readonly #counts: LossyNetwork['counts'];
  readonly #underWay: { readonly arrival: number; readonly arrive: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(conditions: Partial<PathConditions>, seed: number, counts: LossyNetwork['counts']) {
    this.path = new SimulatedPath(conditions, seed);
    this.#counts = counts;
  }

  pass(bytes: number, arrive: () => void): void {
    const arrival = this.path.send(bytes, performance.now());
    if (Number.isNaN(arrival)) {
      this.#counts.dropped++;
      return;
    }
    this.#counts.passed++;
    this.#underWay.push({ arrival, arrive });
    if (!this.#timer) this.#deliver();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#underWay.length = 0;
  }

  #deliver(): void {
    // Half a millisecond early: timers are late anyway.
    const now = performance.now() + 0.5;
    while (this.#underWay[0] && this.#underWay[0].arrival <= now) this.#underWay.shift()!.arrive();
    const next = this.#underWay[0];
    this.#timer = next && setTimeout(() => this.#deliver(), next.arrival - now);
  }
}
