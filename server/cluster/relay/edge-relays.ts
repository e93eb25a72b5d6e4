import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { Emitter } from '../../faults/emitter.js';
import { after } from '../../faults/timers.js';
import type { MediaEngine, MediaEngineEvents } from '../../media/engine/media-engine.js';
import type { SourceId } from '../../media/engine/media-track.js';
import type { RelayedStreams } from '../../streams/stream-places.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import type { ClusterNode, ClusterNodeEvents } from '../cluster-node.js';
import { FollowedStream, isSame, type Origin } from './followed-stream.js';
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

/** A stream that is wanted here, or that its server did not send a moment ago. */
interface WantedStream {
  readonly followed: FollowedStream;
  /** Viewers will watch it here in a moment, or watched until a moment ago. */
  kept?: NodeJS.Timeout | undefined;
}

/**
 * The streams of other servers that this server sends to viewers of its own. It receives each once, while it has viewers
 * of it, and only from the server that has the stream by its lease.
 */
export class EdgeRelays extends Emitter<EdgeRelaysEvents> implements RelayedStreams {
  readonly #options: EdgeRelaysOptions;
  readonly #streams = new Map<StreamId, WantedStream>();
  readonly #stoppingNodes = new Set<string>();
  #phase: 'open' | 'stopping' | 'closed' = 'open';
  #givenUp = 0;

  constructor(options: EdgeRelaysOptions) {
    super('cluster');
    this.#options = options;
    const { node, engine, streams } = options;
    node.on('nodes', (nodes) => {
      const known = new Set(nodes.map(({ id }) => id));
      for (const id of this.#stoppingNodes) if (!known.has(id)) this.#stoppingNodes.delete(id);
    });
    node.on('lapsed', () => this.#updateAll());
    node.on('renewed', () => this.#updateAll());
    engine.on('session-lost', (id) => {
      for (const { followed } of this.#streams.values()) followed.sessionLost(id);
    });
    streams.on('publishers-changed', (streamId) => {
      this.#endSources(streamId);
      this.#update(streamId);
    });
    streams.on('viewers-changed', (streamId) => {
      if (this.#streams.get(streamId)?.followed.follows()) this.#keep(streamId);
      this.#update(streamId);
    });
  }

  /** How many streams are received. */
  get received(): number {
    return [...this.#streams.values()].filter(({ followed }) => followed.state.name === 'receiving').length;
  }

  /** How often a stream could not be received. */
  get givenUp(): number {
    return this.#givenUp;
  }

  serves(streamId: StreamId): boolean {
    const origin = this.#originOf(streamId);
    return this.#phase === 'open' && !!origin && !this.#streams.get(streamId)?.followed.hasGivenUp(origin);
  }

  prepare(streamId: StreamId): void {
    this.#keep(streamId);
    this.#update(streamId);
  }

  /** Another server is about to stop. Its broadcasters come back on a third. */
  nodeStops(nodeId: string): void {
    this.#stoppingNodes.add(nodeId);
  }

  /** This server is about to stop: it receives no further stream, and viewers of those that it receives move. */
  stop(): void {
    this.#phase = 'stopping';
  }

  close(): void {
    this.#phase = 'closed';
    for (const { followed, kept } of this.#streams.values()) {
      clearTimeout(kept);
      followed.close();
    }
    this.#streams.clear();
  }

  /** The server that has the stream. Undefined: this one has, or none, or this one may not or cannot receive it. */
  #originOf(streamId: StreamId): Origin | undefined {
    const { node, engine, streams } = this.#options;
    const found = streams.elsewhere(streamId);
    if (!found || found.url === undefined || found.url === node.identity.url) return undefined;
    return engine.canRelay?.(streamId) && node.epoch ? { node: found.node, url: found.url } : undefined;
  }

  #updateAll(): void {
    for (const streamId of this.#streams.keys()) this.#update(streamId);
  }

  #update(streamId: StreamId): void {
    const known = this.#streams.get(streamId);
    const isWanted = known?.kept !== undefined || this.#options.streams.hasViewers(streamId);
    if (this.#phase === 'closed' || !(known || isWanted)) return;
    const { followed } = known ?? this.#add(streamId);
    const origin = isWanted ? this.#originOf(streamId) : undefined;
    followed.follow(this.#phase === 'open' || followed.follows(origin) ? origin : undefined);
    if (!isWanted && followed.state.name === 'idle') this.#streams.delete(streamId);
  }

  #add(streamId: StreamId): WantedStream {
    const { engine, streams, log } = this.#options;
    const followed = new FollowedStream({
      streamId,
      engine,
      streams,
      exchange: (origin, offer, signal) => this.#exchange(streamId, origin, offer, signal),
      onGivenUp: ({ url }, err) => {
        this.#givenUp += 1;
        log.warn({ err, stream: streamId, url }, 'a stream cannot be received from another server: viewers go there');
        this.emit('changed', streamId);
      },
      onForgiven: () => this.#update(streamId),
    });
    const wanted: WantedStream = { followed };
    this.#streams.set(streamId, wanted);
    return wanted;
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
    const origin = this.#streams.get(streamId)?.followed.state.origin;
    if (!origin || !this.#isAlive(origin)) return;
    const found = streams.elsewhere(streamId);
    if (found && !isSame({ node: found.node }, origin)) return;
    if (!found && streams.sessionsOf(streamId).length > 0) return;
    const live = found?.sources.flatMap(({ sourceId, liveSince }) => (liveSince === undefined ? [] : [sourceId]));
    streams.endRelayedExcept(streamId, new Set<SourceId>(live));
  }

  #isAlive({ node }: Origin): boolean {
    if (this.#stoppingNodes.has(node.id)) return false;
    return this.#options.node.nodes.some(({ id, epoch, isAlive }) => isAlive && id === node.id && epoch === node.epoch);
  }

  #keep(streamId: StreamId): void {
    if (this.#phase === 'closed') return;
    const wanted = this.#streams.get(streamId) ?? this.#add(streamId);
    clearTimeout(wanted.kept);
    const expire = () => {
      wanted.kept = undefined;
      this.#update(streamId);
    };
    wanted.kept = after('cluster', KEPT_WITHOUT_VIEWERS_MS, expire).unref();
  }
}
