import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { RoutedEngine } from '../media/routed-engine.js';
import type { ServerKeys } from '../store/keys/key-file.js';
import type { Database } from '../store/schema.js';
import { StreamPlaces } from '../streams/stream-places.js';
import { StreamRegistry } from '../streams/stream-registry.js';
import type { Cluster } from './cluster.js';
import type { Relays } from './open-relays.js';
import { openUpstreams, type OpenedUpstreams } from './open-upstreams.js';
import type { OpenedResources } from './opened-resources.js';
import { startEngine } from './start-engine.js';
import type { StreamId } from '../streams/stream-id.js';

/** The streams of this server, and what carries their media. */
export interface OpenedMedia {
  /** The server's own engine. */
  readonly ownEngine: MediaEngine;
  /** Carries all streams: by the server's own engine, or by an upstream. */
  readonly engine: RoutedEngine;
  readonly upstreams: OpenedUpstreams;
  readonly streams: StreamRegistry;
  readonly relays: Relays;
  readonly places: StreamPlaces;
  /** Whether the engine of a stream gives its frames. */
  readonly hasFrames: (streamId: StreamId) => boolean;
}

export interface OpenMediaOptions {
  readonly config: Config;
  readonly db: Database;
  readonly keys: Pick<ServerKeys, 'sealKey'>;
  readonly cluster: Cluster;
  /** The engine of the caller. Absent: the one that the configuration names. */
  readonly engine: MediaEngine | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/**
 * @throws {MediaError} `engine_unavailable`
 * @throws {ApiError} the database does not answer
 */
export async function openMedia(opened: OpenedResources, options: OpenMediaOptions): Promise<OpenedMedia> {
  const { config, cluster, now, log } = options;
  const ownEngine = options.engine ?? (await startEngine(config, log));
  if (options.engine) opened.addOfCaller(() => ownEngine.close());
  else opened.add(() => ownEngine.close());
  const { nodeId, othersAlive } = cluster;
  const upstreams = await openUpstreams(opened, { ...options, engine: ownEngine, nodeId, othersAlive });
  const { engine } = upstreams;
  const streams = new StreamRegistry(engine, {
    resumeWithinMs: config.resumeWithinS * 1000,
    leases: cluster.leases,
    elsewhere: cluster.streams,
    viewersElsewhere: (streamId) => cluster.viewersElsewhere(streamId),
    now,
  });
  const relays = cluster.openRelays({ engine, streams });
  const { nodeUrl } = config;
  const places = new StreamPlaces({ streams, nodeUrl, isShared: cluster.isShared, relayed: relays.relayed });
  const hasFrames = (streamId: StreamId): boolean => engine.capabilitiesOf(streamId).frames;
  return { ownEngine, engine, upstreams, streams, relays, places, hasFrames };
}
