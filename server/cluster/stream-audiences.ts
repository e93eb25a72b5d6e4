import { Emitter } from '../faults/emitter.js';
import type { ClusterMessage } from './cluster-message.js';
import type { StreamId } from '../streams/stream-id.js';

export interface StreamAudiencesEvents {
  /** The number of viewers of a stream on other nodes changed. */
  changed: [streamId: StreamId];
}

/** How many viewers media of each stream reaches, on this node and on the others. */
export class StreamAudiences extends Emitter<StreamAudiencesEvents> {
  readonly #send: (message: ClusterMessage) => void;
  readonly #here = new Map<StreamId, number>();
  /** By node, and by stream. */
  readonly #elsewhere = new Map<string, Map<StreamId, number>>();

  constructor(send: (message: ClusterMessage) => void) {
    super('cluster');
    this.#send = send;
  }

  /** The viewers of a stream on all other nodes. */
  elsewhere(streamId: StreamId): number {
    let sum = 0;
    for (const ofNode of this.#elsewhere.values()) sum += ofNode.get(streamId) ?? 0;
    return sum;
  }

  /** The viewers of a stream on this node. */
  counted(streamId: StreamId, viewers: number): void {
    if (viewers === (this.#here.get(streamId) ?? 0)) return;
    if (viewers > 0) this.#here.set(streamId, viewers);
    else this.#here.delete(streamId);
    this.#send({ type: 'viewers', streamId, viewers });
  }

  /** Another node listens from now on, or has missed messages: sends it everything. */
  sendAll(): void {
    this.#send({ type: 'viewers-reset' });
    for (const [streamId, viewers] of this.#here) this.#send({ type: 'viewers', streamId, viewers });
  }

  message(nodeId: string, message: ClusterMessage): void {
    if (message.type === 'viewers-reset') this.#forget(nodeId);
    if (message.type !== 'viewers') return;
    const { streamId, viewers } = message;
    const ofNode = this.#elsewhere.get(nodeId) ?? new Map<StreamId, number>();
    this.#elsewhere.set(nodeId, ofNode);
    if (viewers > 0) ofNode.set(streamId, viewers);
    else ofNode.delete(streamId);
    this.emit('changed', streamId);
  }

  /** Forgets what all other nodes said. */
  keepOnly(nodeIds: ReadonlySet<string>): void {
    for (const nodeId of this.#elsewhere.keys()) if (!nodeIds.has(nodeId)) this.#forget(nodeId);
  }

  #forget(nodeId: string): void {
    const streamIds = [...(this.#elsewhere.get(nodeId)?.keys() ?? [])];
    this.#elsewhere.delete(nodeId);
    for (const streamId of streamIds) this.emit('changed', streamId);
  }
}
