import type { EventEmitter } from 'node:events';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Session } from '../sessions/session.js';
import type { SessionProtocol, SessionsEventMap } from '../sessions/sessions.js';
import type { MetricsPart } from './metrics.js';

/** The limits of the classes of durations that a visitor waits. */
const WAIT_SECONDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];

const roleOf = ({ grant }: Session) => (grant.role === 'Publish' ? 'publisher' : 'viewer');

/** @param now the monotonic clock, in milliseconds */
export function sessionMetrics(sessions: EventEmitter<SessionsEventMap>, now: () => number): MetricsPart {
  return (registry) => {
    const open = new Gauge({
      name: 'streamgate_sessions',
      help: 'Sessions that are open',
      labelNames: ['role'],
      registers: [registry],
    });
    const opened = new Counter({
      name: 'streamgate_sessions_opened_total',
      help: 'Sessions that were opened',
      labelNames: ['role', 'protocol'],
      registers: [registry],
    });
    const ended = new Counter({
      name: 'streamgate_sessions_ended_total',
      help: 'Sessions that ended, by the code of the reason',
      labelNames: ['role', 'code'],
      registers: [registry],
    });
    const connect = new Histogram({
      name: 'streamgate_session_connect_seconds',
      help: 'How long sessions over WebRTC took from their opening until media could flow',
      labelNames: ['role', 'protocol'],
      buckets: WAIT_SECONDS,
      registers: [registry],
    });
    const connecting = new WeakMap<Session, { readonly since: number; readonly protocol: SessionProtocol }>();
    for (const role of ['publisher', 'viewer']) open.set({ role }, 0);
    sessions.on('opened', (session, protocol) => {
      open.inc({ role: roleOf(session) });
      connecting.set(session, { since: now(), protocol });
      opened.inc({ role: roleOf(session), protocol });
    });
    sessions.on('reachable', (session, isReachable) => {
      const begun = connecting.get(session);
      if (!begun || !isReachable) return;
      connecting.delete(session);
      connect.observe({ role: roleOf(session), protocol: begun.protocol }, (now() - begun.since) / 1_000);
    });
    sessions.on('ended', (session, { code }) => {
      open.dec({ role: roleOf(session) });
      ended.inc({ role: roleOf(session), code });
    });
  };
}

/** @param reports what the clients of viewers report */
export function firstPictureMetrics(reports: {
  on(event: 'first-picture', listener: (afterMs: number) => void): unknown;
}): MetricsPart {
  return (registry) => {
    const waits = new Histogram({
      name: 'streamgate_first_picture_seconds',
      help: 'How long visitors of a live stream waited for the first picture, by the reports of their players',
      buckets: WAIT_SECONDS,
      registers: [registry],
    });
    reports.on('first-picture', (afterMs) => waits.observe(afterMs / 1_000));
  };
}

/** @param guests the viewers without a token who wait for their stream */
export function waitingGuestsMetrics(guests: { readonly size: number; readonly displaced: number }): MetricsPart {
  return (registry) => {
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_waiting_guests',
        help: 'Viewers without a token who wait for their stream to begin',
        registers: [],
        collect() {
          this.set(guests.size);
        },
      }),
    );
    registry.registerMetric(
      new Counter({
        name: 'streamgate_waiting_guests_displaced_total',
        help: 'Viewers without a token who lost their place to others, because too many wait',
        registers: [],
        collect() {
          this.reset();
          this.inc(guests.displaced);
        },
      }),
    );
  };
}
