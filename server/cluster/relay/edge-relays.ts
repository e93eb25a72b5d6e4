import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { Emitter } from '../../faults/emitter.js';
import { after } from '../../faults/timers.js';
import type { MediaEngine, MediaEngineEvents } from '../../media/engine/media-engine.js';
import type { SourceId } from '../../media/engine/media-track.js';
import type { RelayedStreams } from '../../streams/stream-places.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import type { ClusterNode, ClusterNodeEvents } from '../cluster-node.js';
import { FollowedStream, type Origin } from './followed-stream.js';
import { callForRelay, RelayCallError } from './relay-call.js';
import type { RelayPasses } from './relay-pass.js';
import type { StreamId } from '../../streams/stream-id.js';

export interface EdgeRelaysEvents {
  /** Viewers of the stream may stay here now, or must go to the server that has it. */
  changed: [streamId: StreamId];
}

export interface EdgeRelaysOptions {
  readonly node: Pick<ClusterNode, 'identity' | 'epoch' | 'nodes'> & Pick<EventEmitter<ClusterNodeEvents>, 'on'>;
  readonly passes: RelayPasses;
  readonly engine: Pick<MediaEngine, 'canRelay' | 'receiveRelay'> & Pick<EventEmitter<MediaEngineEvents>, 'on'>;
  readonly streams: StreamRegistry;
  /** Milliseconds since 1970, on every server the same. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** A viewer who was sent here connects within this time, and one who reloads the page comes back. */
const KEPT_WITHOUT_VIEWERS_MS = 15_000;
/** After this time a server that refused is asked again. */
const GIVEN_UP_FOR_MS = 30_000;

/**
 * The streams of other servers that this server sends to viewers of its own. It receives each once, while it has viewers
 * of it, and only from the server that has the stream by its lease.
 */
export class EdgeRelays extends Emitter<EdgeRelaysEvents> implements RelayedStreams {
  readonly #options: EdgeRelaysOptions;
  readonly #followed = new Map<StreamId, FollowedStream>();
  /** Streams with viewers here. */
  readonly #watched = new Set<StreamId>();
  /** Streams that viewers will watch here in a moment, or watched until a moment ago. */
  readonly #kept = new Map<StreamId, NodeJS.Timeout>();
  /** Streams whose viewers go to the server that has the stream. */
  readonly #givenUp = new Map<StreamId, NodeJS.Timeout>();
  /** The server that each stream was last received from, while viewers may still see the last picture. */
  readonly #lastOrigin = new Map<StreamId, Origin>();
  readonly #stopping = new Set<string>();
  #isStopping = false;
  #isClosed = false;

  constructor(options: EdgeRelaysOptions) {
    super('cluster');
    this.#options = options;
    const { node, engine, streams } = options;
    node.on('lapsed', () => this.#updateAll());
    node.on('renewed', () => this.#updateAll());
    engine.on('session-lost', (id) => {
      for (const stream of this.#followed.values()) stream.sessionLost(id);
    });
    streams.on('publishers-changed', (streamId) => {
      this.#endSources(streamId);
      this.#update(streamId);
    });
    streams.on('viewers-changed', (streamId) => {
      if (streams.hasViewers(streamId)) this.#watched.add(streamId);
      else this.#watched.delete(streamId);
      if (this.#followed.has(streamId)) this.#keep(streamId);
      this.#update(streamId);
    });
  }

  serves(streamId: StreamId): boolean {
    return !this.#isStopping && this.#originOf(streamId) !== undefined && !this.#givenUp.has(streamId);
  }

  prepare(streamId: StreamId): void {
    this.#keep(streamId);
    this.#update(streamId);
  }

  /** Another server is about to stop. Its broadcasters come back on a third. */
  nodeStops(nodeId: string): void {
    this.#stopping.add(nodeId);
  }

  /** This server is about to stop: it receives no further stream, and viewers of those that it receives move. */
  stop(): void {
    this.#isStopping = true;
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of [...this.#kept.values(), ...this.#givenUp.values()]) clearTimeout(timer);
    for (const streamId of this.#followed.keys()) this.#stop(streamId);
  }

  /** The server that has the stream. Undefined: this one has, or none, or this one may not or cannot receive it. */
  #originOf(streamId: StreamId): Origin | undefined {
    const { node, engine, streams } = this.#options;
    const found = streams.elsewhere(streamId);
    if (!found || found.url === undefined || found.url === node.identity.url) return undefined;
    return engine.canRelay?.(streamId) && node.epoch ? { node: found.node, url: found.url } : undefined;
  }

  #updateAll(): void {
    for (const streamId of new Set([...this.#followed.keys(), ...this.#watched])) this.#update(streamId);
  }

  #update(streamId: StreamId): void {
    const isWanted = !this.#isClosed && (this.#watched.has(streamId) || this.#kept.has(streamId));
    const origin = isWanted && !this.#givenUp.has(streamId) ? this.#originOf(streamId) : undefined;
    const followed = this.#followed.get(streamId);
    if (!isWanted) this.#lastOrigin.delete(streamId);
    if (followed && origin && isSame(followed.origin, origin)) return;
    if (followed) this.#stop(streamId);
    if (origin && !this.#isStopping) this.#follow(streamId, origin);
  }

  #follow(streamId: StreamId, origin: Origin): void {
    const { engine, streams, log } = this.#options;
    streams.beginRelay(streamId);
    this.#lastOrigin.set(streamId, origin);
    const stream = new FollowedStream({
      streamId,
      origin,
      engine,
      exchange: (offer, signal) => this.#exchange(streamId, origin, offer, signal),
      onGivenUp: (err) => {
        const { url } = origin;
        log.warn({ err, stream: streamId, url }, 'a stream cannot be received from another server: viewers go there');
        const timer = setTimeout(() => this.#givenUp.delete(streamId), GIVEN_UP_FOR_MS).unref();
        this.#givenUp.set(streamId, timer);
        this.#update(streamId);
        this.emit('changed', streamId);
      },
    });
    this.#followed.set(streamId, stream);
  }

  #stop(streamId: StreamId): void {
    this.#followed.get(streamId)?.close();
    this.#followed.delete(streamId);
    this.#options.streams.endRelay(streamId);
  }

  async #exchange(streamId: StreamId, { node, url }: Origin, offer: string, signal: AbortSignal): Promise<string> {
    const { node: own, passes, now } = this.#options;
    const pass = passes.sign({ streamId, from: own.identity.id, to: node.id, epoch: node.epoch }, offer, now());
    const { answer, proof } = await callForRelay(url, { pass, offer }, signal);
    if (passes.isProven(pass, answer, proof)) return answer;
    throw new RelayCallError('refused', 'the answer is not of a server on the same database');
  }

  /** Tells viewers at once of sources that their server ended. Those of a server that is lost come back on another. */
  #endSources(streamId: StreamId): void {
    const { streams } = this.#options;
    const origin = this.#lastOrigin.get(streamId);
    if (!origin || !this.#isAlive(origin)) return;
    const found = streams.elsewhere(streamId);
    if (found && !isSame({ node: found.node }, origin)) return;
    if (!found && streams.sessionsOf(streamId).length > 0) return;
    const live = found?.sources.flatMap(({ sourceId, liveSince }) => (liveSince === undefined ? [] : [sourceId]));
    streams.endRelayedExcept(streamId, new Set<SourceId>(live));
  }

  #isAlive({ node }: Origin): boolean {
    if (this.#stopping.has(node.id)) return false;
    return this.#options.node.nodes.some(({ id, epoch, isAlive }) => isAlive && id === node.id && epoch === node.epoch);
  }

  #keep(streamId: StreamId): void {
    const timer = this.#kept.get(streamId);
    if (timer) return void timer.refresh();
    const expire = () => {
      this.#kept.delete(streamId);
      this.#update(streamId);
    };
    this.#kept.set(streamId, after('cluster', KEPT_WITHOUT_VIEWERS_MS, expire).unref());
  }
}

function isSame(one: Pick<Origin, 'node'>, other: Pick<Origin, 'node'>): boolean {
  return one.node.id === other.node.id && one.node.epoch === other.node.epoch;
}
