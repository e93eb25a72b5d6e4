import type { Logger } from 'pino';
import type { OthersAlive } from '../cluster/others-alive.js';
import type { Config } from '../config/config.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import { RoutedEngine } from '../media/routed-engine.js';
import { monotonicNow } from '../monotonic-now.js';
import { TargetAddresses } from '../outbound/target-addresses.js';
import { Pruning } from '../oversight/pruning.js';
import type { ServerKeys } from '../store/keys/key-file.js';
import { ValueSeal } from '../store/keys/value-seal.js';
import type { Database } from '../store/schema.js';
import { SqlSessionNotes } from '../store/tables/sql-session-notes.js';
import { SqlUpstreamStore } from '../store/tables/sql-upstream-store.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { UpstreamDirectory } from '../upstream/upstream-directory.js';
import { UpstreamEngine } from '../upstream/upstream-engine.js';
import { UpstreamService } from '../upstream/upstream-service.js';
import type { OpenedResources } from './opened-resources.js';

/** How long a change that another server or the command line made is not known here. */
const REFRESH_MS = 5_000;
/** How often the sessions of servers that are gone are looked for. */
const ORPHANS_MS = 30_000;

export interface OpenedUpstreams {
  readonly service: UpstreamService;
  readonly directory: UpstreamDirectory;
  /** Carries the streams without an upstream by the server's own engine. */
  readonly engine: RoutedEngine;
  /** Begins to follow changes, and to end what lost servers left. */
  start(): void;
}

export interface OpenUpstreamsOptions {
  readonly config: Pick<Config, 'upstreamAllowedNetworks'>;
  readonly db: Database;
  readonly keys: Pick<ServerKeys, 'sealKey'>;
  /** The server's own engine. */
  readonly engine: MediaEngine;
  /** Identifies this start of the server among those on the database. */
  readonly nodeId: string;
  /** Undefined: not known now. */
  readonly othersAlive: () => OthersAlive | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** The caller closes its own engine. @throws {ApiError} the database does not answer */
export async function openUpstreams(opened: OpenedResources, options: OpenUpstreamsOptions): Promise<OpenedUpstreams> {
  const { config, db, keys, engine: ownEngine, nodeId, othersAlive, now, log } = options;
  const seal = new ValueSeal(keys.sealKey);
  const store = new SqlUpstreamStore(db, seal);
  const addresses = new TargetAddresses(config.upstreamAllowedNetworks);
  const directory = new UpstreamDirectory(store);
  await directory.refresh();
  const upstreamEngine = new UpstreamEngine({
    targetOf: (streamId) => directory.targetOf(streamId),
    client: new UpstreamClient(addresses),
    notes: new SqlSessionNotes(db, seal),
    owner: nodeId,
    now,
    monotonicNow,
    log,
  });
  opened.add(() => upstreamEngine.close());
  const engine = new RoutedEngine(ownEngine, upstreamEngine, (streamId) => directory.find(streamId) !== undefined);

  const jobs = [
    new Pruning({
      name: 'read upstreams',
      everyMs: REFRESH_MS,
      prune: () => directory.refresh(),
      onFailed: (err) => log.warn({ err }, 'changes of upstreams are not known yet'),
    }),
    new Pruning({
      name: 'end sessions of lost servers at upstreams',
      everyMs: ORPHANS_MS,
      async prune() {
        const others = othersAlive();
        if (others) await upstreamEngine.endOrphans([...others.ids], others.asOf);
      },
      onFailed: (err) => log.warn({ err }, 'sessions that lost servers left at their upstream were not looked for'),
    }),
  ];
  opened.add(() => Promise.all(jobs.map((job) => job.close())));
  const service = new UpstreamService({ store, addresses, onChanged: () => directory.refresh(), now });
  return {
    service,
    directory,
    engine,
    start() {
      for (const job of jobs) job.start();
    },
  };
}
