/** Nothing that is so far away is late, or missing in between: the source restarted. */
const MAX_JUMP = 3_000;

export interface PacketOrderOptions<Packet> {
  /** How long a missing packet is awaited: it may be sent again. */
  readonly waitMs: number;
  /** With so many packets after a missing one, it is given up earlier. */
  readonly maxWaiting: number;
  readonly onPacket: (packet: Packet, now: number) => void;
  /** Packets before the next `onPacket` are lost. */
  readonly onGap: () => void;
  /** After a gap, the source restarted: what comes next has nothing to do with what came before. */
  readonly onRestart: () => void;
}

/** Puts packets in order that arrive in any order, some of them twice or never. `now` is in ms of any clock. */
export class PacketOrder<Packet> {
  readonly #options: PacketOrderOptions<Packet>;
  /** By sequence number: those after a missing one. */
  readonly #waiting = new Map<number, Packet>();
  #next: number | undefined;
  #waitingSince = 0;
  /** A packet that is far from all others. The next one shows whether the source restarted with it. */
  #far: { readonly sequence: number; readonly packet: Packet } | undefined;

  constructor(options: PacketOrderOptions<Packet>) {
    this.#options = options;
  }

  /** @param sequence extended: it never wraps */
  add(sequence: number, packet: Packet, now: number): void {
    this.#next ??= sequence;
    if (Math.abs(sequence - this.#next) > MAX_JUMP) return this.#addFar(sequence, packet, now);
    this.#far = undefined;
    if (sequence < this.#next) return;
    if (!this.#waiting.size) this.#waitingSince = now;
    this.#waiting.set(sequence, packet);
    this.#deliver(now);
    if (this.#waiting.size > this.#options.maxWaiting) this.#skip(now);
  }

  /** Call every few tens of ms. */
  tick(now: number): void {
    if (this.#waiting.size && now - this.#waitingSince >= this.#options.waitMs) this.#skip(now);
  }

  /** Nothing more arrives: delivers what has arrived. */
  end(now: number): void {
    while (this.#waiting.size) this.#skip(now);
  }

  #addFar(sequence: number, packet: Packet, now: number): void {
    const before = this.#far;
    this.#far = { sequence, packet };
    if (before?.sequence !== sequence - 1) return;
    this.end(now);
    this.#far = undefined;
    this.#next = before.sequence;
    this.#options.onGap();
    this.#options.onRestart();
    this.add(before.sequence, before.packet, now);
    this.add(sequence, packet, now);
  }

  #skip(now: number): void {
    this.#next = Math.min(...this.#waiting.keys());
    this.#options.onGap();
    this.#deliver(now);
  }

  #deliver(now: number): void {
    const before = this.#next;
    for (let packet = this.#take(); packet !== undefined; packet = this.#take()) this.#options.onPacket(packet, now);
    // Another packet is missing now.
    if (this.#next !== before) this.#waitingSince = now;
  }

  #take(): Packet | undefined {
    const packet = this.#waiting.get(this.#next!);
    if (packet === undefined) return undefined;
    this.#waiting.delete(this.#next!);
    this.#next! += 1;
    return packet;
  }
}
