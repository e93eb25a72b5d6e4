import type { EventEmitter } from 'node:events';
import { Emitter } from '../faults/emitter.js';
import { reportFault } from '../faults/fault.js';
import type { LeaseChange, LeaseClaim, LeaseHolder, LeaseOutcome, StreamLeases } from '../streams/stream-leases.js';
import { namesOf, streamIdOf } from '../streams/stream-id.js';
import type { ClusterNode, ClusterNodeEvents } from './cluster-node.js';
import type { ClusterStore, Lease, LeaseKey, NewLease } from './cluster-store.js';
import { sessionKeyHash } from './session-key-hash.js';
import { FREE, nextSourceLease, type LeaseInput, type SourceLease } from './source-lease.js';

export interface ClusterLeasesOptions {
  readonly node: Pick<ClusterNode, 'identity' | 'epoch'> & EventEmitter<ClusterNodeEvents>;
  readonly store: Pick<ClusterStore, 'claim' | 'write' | 'release' | 'requestStop'>;
  /** The monotonic clock of the machine, in milliseconds. */
  readonly monotonicNow: () => number;
}

export interface ClusterLeasesEvents {
  /** A claim ended. */
  claimed: [outcome: LeaseOutcome, tookMs: number];
  /** The leases of so many sources are lost: the database did not renew them in time. */
  lost: [count: number];
}

type SourceOfStream = Pick<LeaseHolder, 'streamId' | 'sourceId'>;

interface LeasedSource {
  readonly of: SourceOfStream;
  lease: SourceLease;
  /** Resolves when the database has answered, or will not. */
  statement: Promise<unknown> | undefined;
}

/**
 * The leases of this node. A claim waits for the database. What becomes of a claimed source is written later, in one
 * statement for all that have changed, and again after a failure: a release that is lost would keep the name for as long
 * as this node lives. One statement about a source is on its way at a time: the database may execute two in any order.
 */
export class ClusterLeases extends Emitter<ClusterLeasesEvents> implements StreamLeases {
  readonly #node: ClusterLeasesOptions['node'];
  readonly #store: ClusterLeasesOptions['store'];
  readonly #monotonicNow: () => number;
  /** All that are not free. */
  readonly #sources = new Map<string, LeasedSource>();
  #writing: Promise<void> | undefined;

  constructor({ node, store, monotonicNow }: ClusterLeasesOptions) {
    super('cluster');
    this.#node = node;
    this.#store = store;
    this.#monotonicNow = monotonicNow;
    // The database answers: what could not be written can be now.
    node.on('nodes', () => void this.#write());
    // The next epoch begins without leases.
    node.on('lapsed', () => {
      this.emit('lost', this.held().length);
      for (const { of } of this.#sources.values()) this.#apply(of, { name: 'lapsed' });
    });
  }

  /** The leases that the database has confirmed. Each is the same object for as long as it is held. */
  held(): readonly LeaseHolder[] {
    return [...this.#sources.values()].flatMap(({ lease }) => (lease.name === 'held' ? lease.holder : []));
  }

  /**
   * The database has this lease of this node. If no session has it, a claim was executed after its source was released,
   * because the answer was lost: the lease is given back.
   */
  seen({ accountId, streamName, sourceId, sessionId }: Lease): void {
    this.#apply({ streamId: streamIdOf(accountId, streamName), sourceId }, { name: 'seen', sessionId });
  }

  async claim(claim: LeaseClaim): Promise<LeaseOutcome> {
    const began = this.#monotonicNow();
    const outcome = await this.#claim(claim);
    this.emit('claimed', outcome, this.#monotonicNow() - began);
    return outcome;
  }

  changed(change: LeaseChange): void {
    this.#apply(change, { name: 'changed', change });
  }

  release({ sessionId, streamId, sourceId }: LeaseHolder, endsStream = false): void {
    this.#apply({ streamId, sourceId }, { name: 'released', sessionId, endsStream });
  }

  requestStop(accountId: string, streamName?: string): Promise<number> {
    return this.#store.requestStop(this.#node.identity.id, accountId, streamName);
  }

  /** Resolves when everything is written, or the database does not answer. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  async #claim({ sessionKey, tokenId, ...holder }: LeaseClaim): Promise<LeaseOutcome> {
    // Before anything else: the node may lapse when its epoch is read, and what was claimed is released then.
    const source = this.#apply(holder, { name: 'claimed', holder });
    while (source.statement) await source.statement;
    // It was released, or moved to another session.
    if (!('holder' in source.lease) || source.lease.holder !== holder) return 'unavailable';
    const { sessionId } = holder;
    const asked = this.#ask({ ...keyOf(holder), sessionId, tokenId, sessionKeyHash: sessionKeyHash(sessionKey) });
    source.statement = asked;
    const outcome = await asked;
    source.statement = undefined;
    this.#apply(holder, { name: 'answered', holder, isHeld: outcome === 'held' });
    return outcome;
  }

  async #ask(lease: NewLease): Promise<LeaseOutcome> {
    const { epoch } = this.#node;
    if (!epoch) return 'unavailable';
    try {
      const answer = await this.#store.claim(epoch, lease);
      // An answer that comes too late is of an epoch whose leases may be claimed by others now.
      if (this.#node.epoch?.epoch !== epoch.epoch) return 'unavailable';
      if (answer.name === 'claimed') return 'held';
      if (answer.name === 'expired') return 'unavailable';
      return answer.sameSource ? 'taken' : 'elsewhere';
    } catch {
      // It is not known whether the database has executed the claim. The caller releases the source.
      return 'unavailable';
    }
  }

  #apply({ streamId, sourceId }: SourceOfStream, input: LeaseInput): LeasedSource {
    const of = { streamId, sourceId };
    const key = nameOf(of);
    const source = this.#sources.get(key) ?? { of, lease: FREE, statement: undefined };
    const next = nextSourceLease(source.lease, input);
    if (next) source.lease = next;
    else {
      const fault = new Error(`a lease that is ${source.lease.name} cannot be ${input.name}`);
      reportFault('cluster', fault, { of: { stream: streamId } });
    }
    if (source.lease.name === 'free') this.#sources.delete(key);
    else this.#sources.set(key, source);
    void this.#write();
    return source;
  }

  #write(): Promise<void> {
    return (this.#writing ??= this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    try {
      for (;;) {
        // What happens in the same turn of the event loop is written together.
        await Promise.resolve();
        const batch = [...this.#sources.values()].filter(isUnwritten);
        if (batch.length === 0) return;
        const sent = batch.map(({ lease }) => lease);
        const statement = this.#send(batch);
        for (const source of batch) source.statement = statement;
        const isWritten = await statement;
        for (const [index, source] of batch.entries()) {
          source.statement = undefined;
          if (isWritten && source.lease === sent[index]) this.#apply(source.of, { name: 'written' });
        }
        // The next heartbeat that is answered writes it.
        if (!isWritten) return;
      }
    } finally {
      // In the same turn as the last look: what comes after it begins again.
      this.#writing = undefined;
    }
  }

  /** @returns false: the database did not answer */
  async #send(sources: readonly LeasedSource[]): Promise<boolean> {
    const { id } = this.#node.identity;
    const changes = sources.flatMap(({ of, lease }) =>
      lease.name === 'held' && lease.unwritten
        ? { ...keyOf(of), sessionId: lease.holder.sessionId, ...lease.unwritten }
        : [],
    );
    const released = sources.flatMap(({ of, lease }) =>
      lease.name === 'released'
        ? lease.earlier.map((sessionId) => ({ ...keyOf(of), sessionId, endsStream: lease.endsStream }))
        : [],
    );
    try {
      if (changes.length > 0) await this.#store.write(id, changes);
      if (released.length > 0) await this.#store.release(id, released);
      return true;
    } catch {
      return false;
    }
  }
}

/** There is something to write, and no statement is on its way. */
function isUnwritten({ lease, statement }: LeasedSource): boolean {
  if (statement) return false;
  return lease.name === 'released' || (lease.name === 'held' && lease.unwritten !== undefined);
}

/** A stream name may contain any character that is not a control character. */
function nameOf({ streamId, sourceId }: SourceOfStream): string {
  return `${streamId}\n${sourceId ?? ''}`;
}

function keyOf({ streamId, sourceId }: SourceOfStream): LeaseKey {
  return { ...namesOf(streamId), sourceId };
}
