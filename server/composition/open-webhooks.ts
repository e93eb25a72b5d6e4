import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Cluster } from './cluster.js';
import type { OpenedResources } from './opened-resources.js';
import type { MetricsPart } from '../metrics/metrics.js';
import { WebhookEvents, webhookMetrics } from '../metrics/webhook-metrics.js';
import { Pruning } from '../oversight/pruning.js';
import type { ServerKeys } from '../store/keys/key-file.js';
import { ValueSeal } from '../store/keys/value-seal.js';
import type { Database } from '../store/schema.js';
import { SqlDeliveryStore } from '../store/tables/sql-delivery-store.js';
import { SqlTokenEventStore } from '../store/tables/sql-token-event-store.js';
import { SqlWebhookStore } from '../store/tables/sql-webhook-store.js';
import { Dispatcher } from '../webhooks/dispatcher.js';
import { announceExpiries } from '../webhooks/expiry-notices.js';
import type { Occurrence } from '../webhooks/occurrence.js';
import { Outbox } from '../webhooks/outbox.js';
import { isBegunElsewhere } from '../webhooks/outdated-events.js';
import { RefusalGroups } from '../webhooks/refusal-groups.js';
import { StreamOccurrences } from '../webhooks/stream-occurrences.js';
import { TargetAddresses } from '../outbound/target-addresses.js';
import { TokenUses } from '../webhooks/token-uses.js';
import { callWebhook } from '../webhooks/webhook-call.js';
import { WebhookService } from '../webhooks/webhook-service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long what was delivered or given up stays in the log. */
const LOG_KEPT_MS = 7 * 24 * HOUR_MS;

/** What happens is told to these; the service answers the management API. */
export interface OpenedWebhooks {
  readonly service: WebhookService;
  readonly streams: StreamOccurrences;
  readonly refusals: RefusalGroups;
  readonly tokenUses: TokenUses;
  readonly metrics: MetricsPart;
  /** Since when the database has not said what is due, in ms. */
  stuckForMs(): number;
  readonly jobs: readonly Pruning[];
  /** Begins to send. */
  start(): void;
}

export interface OpenWebhooksOptions {
  readonly config: Pick<Config, 'webhookAllowedNetworks'>;
  readonly db: Database;
  readonly keys: Pick<ServerKeys, 'sealKey'>;
  readonly cluster: Pick<Cluster, 'streams'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** What `opened` closes writes first what is not stored yet. To be opened before everything that events come from. */
export function openWebhooks(opened: OpenedResources, options: OpenWebhooksOptions): OpenedWebhooks {
  const { config, db, keys, cluster, now, log } = options;
  const seal = new ValueSeal(keys.sealKey);
  const deliveries = new SqlDeliveryStore(db, seal);
  const tokenEvents = new SqlTokenEventStore(db);
  const addresses = new TargetAddresses(config.webhookAllowedNetworks);
  const events = new WebhookEvents();
  const dispatcher = new Dispatcher({
    store: deliveries,
    call: (message, closing) => callWebhook(message, { addresses, now }, closing),
    onConcluded: (report, conclusion) => events.concluded(report, conclusion),
    now,
    log,
  });
  opened.add(() => dispatcher.close());
  const onWritten = (): void => dispatcher.wake();

  const outbox = new Outbox({
    store: deliveries,
    isOutdated: isBegunElsewhere(cluster.streams),
    onWritten,
    onDropped(count, err) {
      events.lost(count);
      log.warn({ count, err }, 'events for webhooks were lost');
    },
  });
  opened.add(() => outbox.close());
  const onOccurrence = (occurrence: Occurrence): void => outbox.add(occurrence);
  const streams = new StreamOccurrences({ onOccurrence, now });
  opened.add(() => streams.close());
  const refusals = new RefusalGroups({ onOccurrence, now });
  opened.add(() => refusals.close());
  const tokenUses = new TokenUses({
    store: tokenEvents,
    onWritten,
    onFailed: (err) => log.warn({ err }, 'the first use of tokens was not recorded'),
    now,
  });
  opened.add(() => tokenUses.close());

  const jobs = [
    new Pruning({
      name: 'announce tokens that expire',
      everyMs: MINUTE_MS,
      prune: (time, signal) => announceExpiries({ store: tokenEvents, onWritten }, time, signal),
      now,
      onFailed: (err) => log.warn({ err }, 'tokens that expire soon were not announced'),
    }),
    new Pruning({
      name: 'delete old deliveries of webhooks',
      everyMs: HOUR_MS,
      prune: (time) => deliveries.prune(time - LOG_KEPT_MS),
      now,
      onFailed: (err) => log.warn({ err }, 'old deliveries of webhooks were not deleted'),
    }),
  ];
  opened.add(() => Promise.all(jobs.map((job) => job.close())));
  const service = new WebhookService({ store: new SqlWebhookStore(db, seal), deliveries, addresses, onWritten, now });
  return {
    service,
    streams,
    refusals,
    tokenUses,
    metrics: webhookMetrics({ events, outbox, deliveries, now }),
    stuckForMs: () => dispatcher.stuckForMs,
    jobs,
    start() {
      for (const job of jobs) job.start();
      dispatcher.start();
    },
  };
}
