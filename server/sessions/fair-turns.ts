/** What turns need of the event loop. Callbacks must not throw; each is given once, and called any number of times. */
export interface TurnLoop {
  /** The monotonic clock, in milliseconds. */
  now(): number;
  /** @returns has `callback` called as soon as the work that has begun waits for something */
  afterWork(callback: () => void): () => void;
  /** @returns has `callback` called when the loop has looked after its sockets and timers once more */
  afterIo(callback: () => void): () => void;
}

/** How long the work of one turn of the event loop takes, in ms, apart from the last that begins in it. */
const TURN_MS = 5;
/** Callers give up after some seconds, and what they asked is then answered for nobody. */
const MAX_WAIT_MS = 5_000;
/** How much may wait, in the unit of the costs. */
const MAX_WAITING = 8_192;

interface Waiting {
  readonly cost: number;
  /** Work begins in this order: when it would end if all owners had their work done at the same time, evenly. */
  readonly tag: number;
  readonly since: number;
  /** @param isTurn false: it waited too long, or there is too much */
  readonly settle: (isTurn: boolean) => void;
}

interface Owner {
  readonly queue: Waiting[];
  /** Of what waits. */
  cost: number;
  /** Of the newest work. */
  tag: number;
}

/**
 * Gives work of many owners its turns on the event loop, so that none of them holds it. While the loop is in time, work
 * begins at once. Otherwise it waits by weighted fair queueing (Demers, Keshav,
 * Shenker, SIGCOMM 1989): every owner gets the same, measured by the cost of the work. So while the work of an owner
 * waits, each other one gets no more than the cost of it and one piece of work beside. Little work goes before much work,
 * and in between the loop looks after its sockets.
 */
export class FairTurns {
  readonly #loop: TurnLoop;
  readonly #continueAfterWork: () => void;
  readonly #endTurnAfterIo: () => void;
  /** When the present turn of the loop began: its first call, or what waited before. Undefined: no call in it yet. */
  #began: number | undefined;
  /** Those of whom something waits, or who have had more than others since. */
  readonly #owners = new Map<string, Owner>();
  #waiting = 0;
  /** How much work each owner has had, evenly. */
  #clock = 0;

  constructor(loop: TurnLoop) {
    this.#loop = loop;
    this.#continueAfterWork = loop.afterWork(() => {
      if (this.#hasTime()) this.#beginNext();
    });
    this.#endTurnAfterIo = loop.afterIo(() => this.#endTurn());
  }

  /** Whether work begins at once, whatever it costs. Call it before the work. */
  isInTime(): boolean {
    return this.#waiting === 0 && this.#hasTime();
  }

  /** The cost of all that waits. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Call it before the work.
   * @param ownerOf whose work it is; called only if the work waits
   * @param cost above 0; more than all may have that waits is refused
   * @returns true: begin now. A promise: begin when it resolves with true. False: the work is refused
   */
  take(ownerOf: () => string, cost: number): boolean | Promise<boolean> {
    if (this.isInTime()) return true;
    const owner = ownerOf();
    if (!this.#makeRoom(owner, cost)) return false;
    return new Promise((settle) => this.#add(owner, cost, this.#loop.now(), settle));
  }

  #add(name: string, cost: number, since: number, settle: Waiting['settle']): void {
    const owner = this.#owners.get(name) ?? { queue: [], cost: 0, tag: 0 };
    this.#owners.set(name, owner);
    owner.tag = Math.max(this.#clock, owner.tag) + cost;
    owner.queue.push({ cost, tag: owner.tag, since, settle });
    owner.cost += cost;
    this.#waiting += cost;
  }

  /** Refuses the newest work of those who have the most. @returns false if that is the owner of the new work */
  #makeRoom(name: string, cost: number): boolean {
    while (this.#waiting + cost > MAX_WAITING) {
      let fullest = this.#owners.get(name);
      let most = (fullest?.cost ?? 0) + cost;
      for (const owner of this.#owners.values()) if (owner.cost > most) [fullest, most] = [owner, owner.cost];
      if (!fullest || fullest === this.#owners.get(name)) return false;
      fullest.tag -= fullest.queue.at(-1)!.cost;
      this.#remove(fullest, 'newest').settle(false);
    }
    return true;
  }

  /** Whether the present turn of the loop has time left. The first call in it begins it. */
  #hasTime(): boolean {
    const time = this.#loop.now();
    if (this.#began === undefined) this.#beginTurn(time);
    return time - this.#began! < TURN_MS;
  }

  #beginTurn(time: number): void {
    this.#began = time;
    this.#endTurnAfterIo();
  }

  #endTurn(): void {
    if (this.#waiting > 0) {
      this.#beginTurn(this.#loop.now());
      this.#beginNext();
      return;
    }
    this.#began = undefined;
    this.#owners.clear();
    this.#clock = 0;
  }

  #beginNext(): void {
    const owner = this.#nextOwner();
    if (owner === undefined) return;
    const work = this.#remove(owner, 'oldest');
    this.#clock += work.cost / this.#owners.size;
    work.settle(true);
    this.#continueAfterWork();
  }

  /** Whose work begins next. Refuses what has waited too long. */
  #nextOwner(): Owner | undefined {
    const overdue = this.#loop.now() - MAX_WAIT_MS;
    let next: Owner | undefined;
    let least = Infinity;
    for (const [name, owner] of this.#owners) {
      while (owner.queue[0] && owner.queue[0].since < overdue) this.#remove(owner, 'oldest').settle(false);
      const [first] = owner.queue;
      if (!first && owner.tag <= this.#clock) this.#owners.delete(name);
      else if (first && first.tag < least) [next, least] = [owner, first.tag];
    }
    return next;
  }

  #remove(owner: Owner, which: 'oldest' | 'newest'): Waiting {
    const work = which === 'oldest' ? owner.queue.shift()! : owner.queue.pop()!;
    owner.cost -= work.cost;
    this.#waiting -= work.cost;
    return work;
  }
}
