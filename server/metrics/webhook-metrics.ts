import { Counter, Gauge, Histogram } from 'prom-client';
import { Emitter } from '../faults/emitter.js';
import type { CallConclusion, CallReport, DeliveryBacklog } from '../webhooks/webhook-store.js';
import type { MetricsPart } from './metrics.js';

interface WebhookEventMap {
  /** A call of a webhook ended, and this follows from it. */
  concluded: [report: CallReport, conclusion: CallConclusion['state']];
  /** So many events were not written. */
  lost: [count: number];
}

/** What becomes of the events for webhooks. */
export class WebhookEvents extends Emitter<WebhookEventMap> {
  constructor() {
    super('webhooks');
  }

  concluded(...conclusion: WebhookEventMap['concluded']): void {
    this.emit('concluded', ...conclusion);
  }

  lost(count: number): void {
    this.emit('lost', count);
  }
}

export interface WebhookMetricsSources {
  readonly events: WebhookEvents;
  readonly outbox: { readonly waiting: number };
  readonly deliveries: { backlog(): Promise<DeliveryBacklog> };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A call may take 15 seconds. */
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function webhookMetrics({ events, outbox, deliveries, now }: WebhookMetricsSources): MetricsPart {
  return (registry) => {
    const registers = [registry];
    let reading: Promise<DeliveryBacklog | undefined> | undefined;
    /** Both gauges are read at the same time. Undefined: the database does not answer, as other figures show. */
    const backlog = () =>
      (reading ??= deliveries
        .backlog()
        .catch(() => undefined)
        .finally(() => (reading = undefined)));
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_webhook_deliveries_waiting',
        help: 'Deliveries that wait to be sent, or to be sent again. The same on all servers of a database',
        registers: [],
        async collect() {
          const found = await backlog();
          if (found) this.set(found.waiting);
          else this.remove();
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_webhook_oldest_seconds',
        help: 'Age of the oldest delivery that waits to be sent; 0: none waits. The same on all servers of a database',
        registers: [],
        async collect() {
          const found = await backlog();
          if (found) this.set(found.oldestOn === null ? 0 : Math.max(0, now() - found.oldestOn) / 1_000);
          else this.remove();
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_webhook_events_unwritten',
        help: 'Events that this server has not written to the database yet',
        registers: [],
        collect() {
          this.set(outbox.waiting);
        },
      }),
    );
    const calls = new Histogram({
      name: 'streamgate_webhook_call_seconds',
      help: 'How long calls of webhooks took, by how they ended: delivered, or the fault',
      labelNames: ['outcome'],
      buckets: CALL_SECONDS,
      registers,
    });
    const givenUp = new Counter({
      name: 'streamgate_webhook_given_up_total',
      help: 'Deliveries that were given up, a day after their event or because the receiver wants no more',
      registers,
    });
    events.on('concluded', ({ fault, durationMs }, conclusion) => {
      calls.observe({ outcome: fault ?? 'delivered' }, durationMs / 1_000);
      if (conclusion === 'failed' || conclusion === 'gone') givenUp.inc();
    });
    const lost = new Counter({
      name: 'streamgate_webhook_events_lost_total',
      help: 'Events that were lost before they were written, because the database did not take them',
      registers,
    });
    events.on('lost', (count) => lost.inc(count));
  };
}
