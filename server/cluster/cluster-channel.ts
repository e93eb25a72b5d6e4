import { attempt } from '../faults/contain.js';
import { after } from '../faults/timers.js';
import { reportFault } from '../faults/fault.js';
import type { ClusterMessage } from './cluster-message.js';
import { ForeignMessageError, readClusterMessage, readNotification } from './cluster-notification.js';
import type { ClusterStore, StreamName } from './cluster-store.js';

/** Carries texts between all nodes of a database. A node receives its own texts too. */
export interface Notifications {
  /** After it resolves, every text is received, or `lost()` is called. */
  start(listener: {
    received(payload: string): void;
    /** It receives again. Texts were missed. */
    restored(): void;
    /** Texts may be missed until `restored`. */
    lost(): void;
  }): Promise<void>;
  close(): Promise<void>;
}

export interface ClusterListener {
  /** The leases of a stream changed. */
  streamChanged(stream: StreamName): void;
  /** A node joined or left. */
  nodesChanged(): void;
  message(nodeId: string, message: ClusterMessage): void;
  restored(): void;
  lost(): void;
}

export interface ClusterChannelOptions {
  readonly nodeId: string;
  readonly notifications: Notifications;
  readonly store: Pick<ClusterStore, 'notify'>;
  /** Messages could not be sent. The next that can is preceded by this call, which may send what must not be missing. */
  readonly onGap?: () => void;
}

interface Waiting {
  readonly text: string;
  readonly isRepeated: boolean;
}

/**
 * Sent again until they arrive, because nothing that is sent later says the same. What the others are missing is told by
 * `onGap`.
 */
const REPEATED: ReadonlySet<ClusterMessage['type']> = new Set(['hello', 'stop-session']);
/** What is sent within this time is sent together. */
const BATCH_MS = 20;
/** PostgreSQL allows 8,000 bytes for the text of a notification. */
const MAX_BYTES = 7_500;
/** The messages that wait, at most. More are dropped, and count as a gap. */
export const MAX_WAITING = 100_000;
const RETRY_MS = 1_000;

/** The one channel of all nodes: what the triggers of the database report, and the messages of nodes. */
export class ClusterChannel {
  readonly #options: ClusterChannelOptions;
  #waiting: Waiting[] = [];
  /** Messages were dropped, because too many waited. */
  #isOverfull = false;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #closed = false;
  /** How many notifications this node has sent. */
  #sent = 0;
  /** Of each other node: the number of its newest notification. */
  readonly #newest = new Map<string, number>();

  constructor(options: ClusterChannelOptions) {
    this.#options = options;
  }

  /** @throws {DatabaseError} */
  async start(listener: ClusterListener): Promise<void> {
    await this.#options.notifications.start({
      received: (payload) => receive(() => this.#received(payload, listener)),
      restored: () => listener.restored(),
      lost: () => listener.lost(),
    });
  }

  /** Sends a message to every other node. It may be lost with the connection of a node. */
  send(message: ClusterMessage): void {
    if (this.#closed) return;
    if (this.#waiting.length >= MAX_WAITING) {
      this.#isOverfull = true;
      return;
    }
    this.#waiting.push({ text: JSON.stringify(message), isRepeated: REPEATED.has(message.type) });
    this.#timer ??= after('cluster', BATCH_MS, () => this.#sendSoon());
  }

  /** Sends what waits, at once. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sending;
    clearTimeout(this.#timer);
    this.#sendSoon();
    await this.#sending;
  }

  /** Forgets the numbers of all other nodes. Those of a node that can still be heard from must be kept. */
  keepOnly(nodeIds: ReadonlySet<string>): void {
    for (const nodeId of this.#newest.keys()) if (!nodeIds.has(nodeId)) this.#newest.delete(nodeId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#options.notifications.close();
    await this.#sending;
  }

  #received(payload: string, listener: ClusterListener): void {
    const notification = readNotification(payload);
    switch (notification[0]) {
      case 'stream':
        return listener.streamChanged({ accountId: notification[1], streamName: notification[2] });
      case 'node':
        return listener.nodesChanged();
      case 'messages': {
        const [, nodeId, messages, order] = notification;
        if (nodeId === this.#options.nodeId || this.#isOutdated(nodeId, order)) return;
        // Those of a later version that this one does not know cost only themselves.
        for (const message of messages) receive(() => listener.message(nodeId, readClusterMessage(message)));
      }
    }
  }

  /**
   * The database may execute a statement after its sender gave it up, and sent what is true since. A version that gives no
   * number is believed.
   */
  #isOutdated(nodeId: string, order: unknown): boolean {
    if (typeof order !== 'number') return false;
    if (order <= (this.#newest.get(nodeId) ?? 0)) return true;
    this.#newest.set(nodeId, order);
    return false;
  }

  #sendSoon(): void {
    this.#sending = this.#sendWaiting();
  }

  async #sendWaiting(): Promise<void> {
    const messages = this.#waiting.splice(0);
    const isSent = await this.#send(messages).then(
      () => true,
      () => false,
    );
    if (!isSent) this.#beginAnew(messages);
    else if (this.#isOverfull) this.#beginAnew();
    this.#again(isSent ? BATCH_MS : RETRY_MS);
  }

  /** Drops what waits, and has everything told that must not be missing. @param unsent what could not be sent */
  #beginAnew(unsent: readonly Waiting[] = []): void {
    this.#isOverfull = false;
    this.#waiting = [...unsent, ...this.#waiting].filter(({ isRepeated }) => isRepeated);
    this.#options.onGap?.();
  }

  #again(afterMs: number): void {
    this.#timer =
      this.#waiting.length > 0 && !this.#closed ? after('cluster', afterMs, () => this.#sendSoon()) : undefined;
  }

  async #send(messages: readonly Waiting[]): Promise<void> {
    const { nodeId, store } = this.#options;
    const texts = messages.map(({ text }) => text);
    const batches = batchesOf(texts, MAX_BYTES);
    const payloads = batches.map((batch) => `["messages","${nodeId}",[${batch.join(',')}],${(this.#sent += 1)}]`);
    if (payloads.length > 0) await store.notify(payloads);
  }
}

/** Anybody who may use the database can notify the channel: what is not of a server is ignored. */
function receive(apply: () => void): void {
  attempt('cluster', () => {
    try {
      apply();
    } catch (error) {
      if (!(error instanceof ForeignMessageError)) throw error;
      reportFault('cluster_message', error);
    }
  });
}

/** In order, each with at most so many bytes unless one text has more. */
export function batchesOf(texts: readonly string[], maxBytes: number): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > room || batches.length === 0) {
      batches.push([]);
      room = maxBytes;
    }
    batches.at(-1)!.push(text);
    room -= bytes;
  }
  return batches;
}
