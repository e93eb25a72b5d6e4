import { Emitter } from '../faults/emitter.js';
import type { LeaseChange, LeaseClaim, LeaseHolder, LeaseOutcome, StreamLeases } from '../streams/stream-leases.js';
import type { ClusterNode } from './cluster-node.js';
import type { ClusterStore, Lease, LeaseKey } from './cluster-store.js';
import { sessionKeyHash } from './session-key-hash.js';
import { namesOf, streamIdOf } from '../streams/stream-id.js';

export interface ClusterLeasesOptions {
  readonly node: ClusterNode;
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

type Pending = { readonly name: 'changed'; readonly change: LeaseChange } | { readonly name: 'released' };

/**
 * The leases of this node. A claim waits for the database. What becomes of a claimed source is written later, in one
 * statement for all that have changed, and again after a failure: a release that is lost would keep the name for as long
 * as this node lives.
 */
export class ClusterLeases extends Emitter<ClusterLeasesEvents> implements StreamLeases {
  readonly #node: ClusterNode;
  readonly #store: ClusterLeasesOptions['store'];
  readonly #monotonicNow: () => number;
  /** What is not written yet, by session. */
  readonly #pending = new Map<string, { readonly holder: LeaseHolder; readonly what: Pending }>();
  /** The sessions whose claim the database has not answered. */
  readonly #claiming = new Set<string>();
  /** The session that has or claims each source of this node. */
  readonly #holders = new Map<string, string>();
  /**
   * By session: those that it takes the place of, while its claim is not confirmed. The database may have the lease of
   * any of them.
   */
  readonly #replaced = new Map<string, readonly string[]>();
  /** By session: the leases that the database has confirmed. */
  readonly #confirmed = new Map<string, LeaseHolder>();
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
      this.#pending.clear();
      this.#replaced.clear();
      this.emit('lost', this.held().length);
      this.#confirmed.clear();
    });
  }

  /** The leases that the database has confirmed, and that were neither released nor moved to another session. */
  held(): readonly LeaseHolder[] {
    return [...this.#confirmed.values()].filter((holder) => this.#holders.get(nameOf(holder)) === holder.sessionId);
  }

  /**
   * The database has this lease of this node. If no session has it, a claim was executed after its source was released,
   * because the answer was lost: the lease is given back.
   */
  seen({ accountId, streamName, sourceId, sessionId }: Lease): void {
    const holder = { streamId: streamIdOf(accountId, streamName), sourceId, sessionId };
    if (this.#holders.get(nameOf(holder)) === undefined) this.release(holder);
  }

  async claim(claim: LeaseClaim): Promise<LeaseOutcome> {
    const began = this.#monotonicNow();
    const outcome = await this.#claim(claim);
    this.emit('claimed', outcome, this.#monotonicNow() - began);
    return outcome;
  }

  async #claim({ sessionKey, tokenId, ...holder }: LeaseClaim): Promise<LeaseOutcome> {
    const epoch = this.#node.epoch;
    if (!epoch) return 'unavailable';
    const { sessionId } = holder;
    this.#claiming.add(sessionId);
    this.#begin(holder);
    try {
      const lease = { ...keyOf(holder), sessionId, tokenId, sessionKeyHash: sessionKeyHash(sessionKey) };
      const answer = await this.#store.claim(epoch, lease);
      // An answer that comes too late is of an epoch whose leases may be claimed by others now.
      if (this.#node.epoch?.epoch !== epoch.epoch) return 'unavailable';
      if (answer.name === 'claimed') {
        this.#forgetReplaced(sessionId);
        // Not if it was released meanwhile.
        if (this.#holders.get(nameOf(holder)) === sessionId) this.#confirmed.set(sessionId, holder);
        return 'held';
      }
      if (answer.name === 'expired') return 'unavailable';
      return answer.sameSource ? 'taken' : 'elsewhere';
    } catch {
      // It is not known whether the database has executed the claim. The caller releases the source.
      return 'unavailable';
    } finally {
      this.#claiming.delete(sessionId);
      if (this.#pending.has(sessionId)) void this.#write();
    }
  }

  changed(change: LeaseChange): void {
    const { isLive: _isLive, keptForMs: _keptForMs, ...holder } = change;
    if (this.#pending.get(change.sessionId)?.what.name === 'released') return;
    this.#add(holder, { name: 'changed', change });
  }

  release(holder: LeaseHolder): void {
    const name = nameOf(holder);
    if (this.#holders.get(name) === holder.sessionId) this.#holders.delete(name);
    this.#confirmed.delete(holder.sessionId);
    for (const sessionId of this.#forgetReplaced(holder.sessionId)) {
      this.#add({ ...holder, sessionId }, { name: 'released' });
    }
    this.#add(holder, { name: 'released' });
  }

  requestStop(accountId: string, streamName?: string): Promise<number> {
    return this.#store.requestStop(this.#node.identity.id, accountId, streamName);
  }

  /** Resolves when everything is written, or the database does not answer. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  #begin(holder: LeaseHolder): void {
    const { sessionId } = holder;
    const name = nameOf(holder);
    const before = this.#holders.get(name);
    this.#holders.set(name, sessionId);
    if (before === undefined || before === sessionId) return;
    const earlier = this.#replaced.get(before) ?? [];
    this.#replaced.delete(before);
    this.#replaced.set(sessionId, [...earlier, before]);
  }

  /** @returns the sessions that this one took the place of */
  #forgetReplaced(sessionId: string): readonly string[] {
    const replaced = this.#replaced.get(sessionId) ?? [];
    this.#replaced.delete(sessionId);
    for (const each of replaced) this.#confirmed.delete(each);
    return replaced;
  }

  #add(holder: LeaseHolder, what: Pending): void {
    this.#pending.set(holder.sessionId, { holder, what });
    void this.#write();
  }

  #write(): Promise<void> {
    return (this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined)));
  }

  async #writeAll(): Promise<void> {
    const { id } = this.#node.identity;
    for (;;) {
      // What happens in the same turn of the event loop is written together.
      await Promise.resolve();
      const batch = [...this.#pending.values()].filter(({ holder }) => !this.#claiming.has(holder.sessionId));
      if (batch.length === 0) return;
      const changes = batch.flatMap(({ holder, what }) =>
        what.name === 'changed' ? { ...what.change, ...keyOf(holder) } : [],
      );
      const released = batch.flatMap(({ holder, what }) =>
        what.name === 'released' ? { ...keyOf(holder), sessionId: holder.sessionId } : [],
      );
      try {
        if (changes.length > 0) await this.#store.write(id, changes);
        if (released.length > 0) await this.#store.release(id, released);
      } catch {
        // The next heartbeat that is answered writes it.
        return;
      }
      for (const written of batch) {
        const { sessionId } = written.holder;
        if (this.#pending.get(sessionId) === written) this.#pending.delete(sessionId);
      }
    }
  }
}

/** A stream name may contain any character that is not a control character. */
function nameOf({ streamId, sourceId }: LeaseHolder): string {
  return `${streamId}\n${sourceId ?? ''}`;
}

function keyOf({ streamId, sourceId }: LeaseHolder): LeaseKey {
  return { ...namesOf(streamId), sourceId };
}
