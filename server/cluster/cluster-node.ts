import { Emitter } from '../faults/emitter.js';
import { after } from '../faults/timers.js';
import type { ClusterStore, KnownNode, NodeEpoch, NodeIdentity } from './cluster-store.js';
import type { DatabaseClock } from './database-clock.js';
import { EXPIRES_AFTER_MS, HEARTBEAT_MS, RETRY_MS, STOPS_AFTER_MS } from './lease-times.js';
import { CLOSED, nextNodeState, OUT, type NodeInput, type NodeState } from './node-state.js';

/** From the lapse on. The last heartbeat may have reached the database a second after it was sent. */
const FREED_AFTER_MS = EXPIRES_AFTER_MS - STOPS_AFTER_MS + 1_000;

/** The first connection to a busy database may take longer than a heartbeat may. */
const START_ATTEMPTS = 4;

export interface ClusterNodeEvents {
  /** The node may publish until then, by its monotonic clock. */
  renewed: [until: number];
  /** The node may not publish any more. It joins again as soon as the database answers. */
  lapsed: [];
  /** It lapsed, and has been away for so long that other nodes can have its streams. */
  freed: [];
  /** Its first heartbeat since it lapsed was answered. Other nodes may have taken it for lost, and know nothing of it. */
  returned: [];
  /** The database answered a heartbeat. */
  nodes: [nodes: readonly KnownNode[], tookMs: number];
}

export interface ClusterNodeOptions {
  readonly identity: NodeIdentity;
  readonly store: Pick<ClusterStore, 'join' | 'beat' | 'leave'>;
  readonly clock: DatabaseClock;
  /** The monotonic clock of the machine, in milliseconds. */
  readonly monotonicNow: () => number;
}

/** This node among the nodes of its database: its heartbeat, and whether it may keep its leases (node-state.ts). */
export class ClusterNode extends Emitter<ClusterNodeEvents> {
  readonly identity: NodeIdentity;
  readonly #options: ClusterNodeOptions;
  #state: NodeState = OUT;
  /**
   * Larger with each attempt to join. The next attempt begins when the one before has ended or was given up, whose answer
   * nobody reads then: the node is never in with another epoch than this.
   */
  #lastEpoch = 0;
  #nodes: readonly KnownNode[] = [];
  #beatTimer: NodeJS.Timeout | undefined;
  /** Until it lapses or, when it has, until others can have its streams. */
  #stateTimer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();

  constructor(options: ClusterNodeOptions) {
    super('cluster');
    this.identity = options.identity;
    this.#options = options;
  }

  /** The proof that the node may claim and keep leases now. Undefined: it may not. */
  get epoch(): NodeEpoch | undefined {
    this.#apply({ name: 'time-passed', now: this.#options.monotonicNow() });
    return this.#state.name === 'in' ? { id: this.identity.id, epoch: this.#state.epoch } : undefined;
  }

  /** Until when the node may publish, by its monotonic clock. Undefined: it may not now. */
  get until(): number | undefined {
    return this.#state.name === 'in' ? this.#state.until : undefined;
  }

  /** All nodes, this one too, as the last heartbeat found them. */
  get nodes(): readonly KnownNode[] {
    return this.#nodes;
  }

  /** Joins the other nodes. @throws {ApiError} the database does not answer */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#join();
        await this.#beat();
        return this.#schedule(HEARTBEAT_MS);
      } catch (error) {
        if (attempt === START_ATTEMPTS) throw error;
        await new Promise<void>((resolve) => after('cluster', RETRY_MS, resolve));
      }
    }
  }

  /** Leaves the other nodes, which may claim the streams of this one at once. Stop all publishers first. */
  async close(): Promise<void> {
    this.#state = CLOSED;
    clearTimeout(this.#beatTimer);
    clearTimeout(this.#stateTimer);
    await this.#beating;
    await this.#options.store.leave(this.identity.id).catch(() => undefined);
  }

  #schedule(afterMs: number): void {
    if (this.#isClosed) return;
    const tick = async (): Promise<void> => {
      const began = this.#options.monotonicNow();
      try {
        if (this.epoch) await this.#beat();
        else await this.#join();
        const isIn = this.epoch !== undefined;
        this.#schedule(isIn ? Math.max(0, began + HEARTBEAT_MS - this.#options.monotonicNow()) : 0);
      } catch {
        // The monitor of the database reports the fault.
        this.#schedule(RETRY_MS);
      }
    };
    this.#beatTimer = after('cluster', afterMs, () => (this.#beating = tick()));
    this.#beatTimer.unref();
  }

  async #join(): Promise<void> {
    const { store, clock, monotonicNow } = this.#options;
    const sentAt = monotonicNow();
    const sentOn = clock.read();
    const epoch = (this.#lastEpoch += 1);
    const { databaseTime } = await store.join({ ...this.identity, epoch });
    clock.measured(databaseTime, sentOn);
    this.#apply({ name: 'joined', epoch, sentAt, now: monotonicNow() });
  }

  async #beat(): Promise<void> {
    const { store, clock, monotonicNow } = this.#options;
    const node = this.epoch;
    if (!node) return;
    const sentAt = monotonicNow();
    const sentOn = clock.read();
    const { databaseTime, isRenewed, nodes } = await store.beat(node);
    const answeredAt = monotonicNow();
    clock.measured(databaseTime, sentOn);
    if (this.#isClosed) return;
    const { epoch } = node;
    const wasReturning = this.#isReturning;
    this.#apply(isRenewed ? { name: 'renewed', epoch, sentAt, now: answeredAt } : { name: 'expired', epoch });
    this.#nodes = nodes;
    this.emit('nodes', nodes, answeredAt - sentAt);
    if (wasReturning && this.#state.name === 'in' && !this.#isReturning) this.emit('returned');
  }

  get #isClosed(): boolean {
    return this.#state.name === 'closed';
  }

  get #isReturning(): boolean {
    return this.#state.name === 'in' && this.#state.isReturning;
  }

  #apply(input: NodeInput): void {
    const before = this.#state;
    const next = nextNodeState(before, input);
    if (next === before) return;
    this.#state = next;
    clearTimeout(this.#stateTimer);
    if (next.name !== 'in') {
      this.#stateTimer = after('cluster', FREED_AFTER_MS, () => this.emit('freed')).unref();
      this.emit('lapsed');
      return;
    }
    this.emit('renewed', next.until);
    const wait = Math.max(0, next.until - this.#options.monotonicNow());
    const check = () => this.#apply({ name: 'time-passed', now: this.#options.monotonicNow() });
    // A timer may be a millisecond early.
    this.#stateTimer = after('cluster', wait + 2, check).unref();
  }
}
