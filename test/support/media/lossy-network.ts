import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { SimulatedPath, type PathConditions } from './simulated-path.js';

export interface LossyNetworkOptions {
  /** The server’s port on the loopback address. */
  readonly target: number;
  /** Conditions from the client to the server. Absent: a good path without delay. */
  readonly up?: Partial<PathConditions>;
  /** Conditions from the server to the client. */
  readonly down?: Partial<PathConditions>;
  readonly seed?: number;
}

const LOOPBACK = '127.0.0.1';
const PERFECT: Partial<PathConditions> = { delay: 0 };

/**
 * A bad network on the loopback address, between clients and a server’s UDP port. It loses packets below SRTP: a packet
 * that is dropped after decryption could never be resent. Each client has its own port towards the server, because
 * servers identify peers by their addresses.
 */
export class LossyNetwork {
  readonly port: number;
  readonly counts = { passed: 0, dropped: 0 };
  readonly #socket: Socket;
  readonly #target: number;
  readonly #up: Direction;
  readonly #down: Direction;
  /** By the client’s address and port. */
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

  /** May be changed while packets are forwarded. */
  get up(): PathConditions {
    return this.#up.path.conditions;
  }

  get down(): PathConditions {
    return this.#down.path.conditions;
  }

  /** Drops all packets of the current clients, as a router that forgets its mappings. New clients are served. */
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
    // A closed server causes an error for each packet. A network ignores it.
    onward.on('error', () => {});
    onward.on('message', (packet) => {
      if (this.#forgotten.has(client)) return;
      this.#down.pass(packet.length, () => this.#socket.send(packet, port, address));
    });
    this.#onward.set(client, onward);
    return onward;
  }
}

/** The packets under way in one direction, in the order of arrival. */
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
    // Half a millisecond early, because timers are late.
    const now = performance.now() + 0.5;
    while (this.#underWay[0] && this.#underWay[0].arrival <= now) this.#underWay.shift()!.arrive();
    const next = this.#underWay[0];
    this.#timer = next && setTimeout(() => this.#deliver(), next.arrival - now);
  }
}
