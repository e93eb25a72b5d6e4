import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { ClusterMessageEvents } from '../cluster/cluster-message.js';
import type { ClusterNode } from '../cluster/cluster-node.js';
import { EdgeRelays } from '../cluster/relay/edge-relays.js';
import type { RelayAnswer, RelayRequest } from '../cluster/relay/relay-message.js';
import { RelayOrigin } from '../cluster/relay/relay-origin.js';
import type { RelayPasses } from '../cluster/relay/relay-pass.js';
import type { StreamAudiences } from '../cluster/stream-audiences.js';
import type { Config } from '../config/config.js';
import { ApiError } from '../errors.js';
import { contain } from '../faults/contain.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { MetricsPart } from '../metrics/metrics.js';
import { relayMetrics } from '../metrics/relay-metrics.js';
import { NO_RELAYED_STREAMS, type RelayedStreams } from '../streams/stream-places.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import type { OpenedResources } from './opened-resources.js';
import type { StreamId } from '../streams/stream-id.js';

/** The streams that this server sends to others, and receives from them. */
export interface Relays {
  readonly relayed: RelayedStreams;
  /** Viewers of a stream may stay here now, or must go to the server that has it. */
  onChanged(listener: (streamId: StreamId) => void): void;
  /** Another server asks for a stream. @throws {ApiError} see `RelayOrigin.answer` */
  answer(request: RelayRequest): Promise<RelayAnswer>;
  /** This server is about to stop. */
  stop(): void;
  readonly metrics: readonly MetricsPart[];
}

export interface RelaysOptions {
  readonly config: Pick<Config, 'nodeRelay'>;
  readonly node: ClusterNode;
  readonly passes: RelayPasses;
  readonly audiences: StreamAudiences;
  readonly messages: EventEmitter<ClusterMessageEvents>;
  readonly engine: MediaEngine;
  readonly streams: StreamRegistry;
  /** Milliseconds since 1970, on every server the same. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Of the only server of its database. */
export const NO_RELAYS: Relays = Object.freeze({
  relayed: NO_RELAYED_STREAMS,
  onChanged() {},
  async answer() {
    throw new ApiError(401, 'relay_refused', 'There are no other servers on the database of this one');
  },
  stop() {},
  metrics: [],
});

/** Every server sends its streams to others that ask. With `NODE_RELAY` it receives theirs. */
export function openRelays(opened: OpenedResources, options: RelaysOptions): Relays {
  const { config, node, passes, audiences, messages, engine, streams, now, log } = options;
  audiences.on('changed', (streamId) => streams.viewersElsewhereChanged(streamId));
  const hasStream = (streamId: StreamId): boolean => streams.sessionsOf(streamId).length > 0;
  const origin = new RelayOrigin({ node, passes, engine, hasStream, now });
  node.on('lapsed', () => origin.closeAll());
  const answer = (request: RelayRequest) => origin.answer(request);
  const metricsOf = (edge?: EdgeRelays) => [
    relayMetrics(() => ({ received: edge?.received ?? 0, sent: origin.sent, givenUp: edge?.givenUp ?? 0 })),
  ];
  if (!config.nodeRelay) return { ...NO_RELAYS, answer, metrics: metricsOf() };
  streams.on('viewers-counted', (streamId, viewers) => audiences.counted(streamId, viewers));
  const edge = new EdgeRelays({ node, passes, engine, streams, now, log });
  opened.add(() => edge.close());
  messages.on(
    'message',
    contain('cluster', (nodeId, { type }) => type === 'stopping' && edge.nodeStops(nodeId)),
  );
  return {
    relayed: edge,
    onChanged: (listener) => void edge.on('changed', listener),
    answer,
    stop: () => edge.stop(),
    metrics: metricsOf(edge),
  };
}
