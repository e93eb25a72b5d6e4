import type { EventEmitter } from 'node:events';
import { Counter, Gauge } from 'prom-client';
import type { Session } from '../sessions/session.js';
import type { SessionsEventMap } from '../sessions/sessions.js';
import type { MetricsPart } from './metrics.js';

const roleOf = ({ grant }: Session) => (grant.role === 'Publish' ? 'publisher' : 'viewer');

export function sessionMetrics(sessions: EventEmitter<SessionsEventMap>): MetricsPart {
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
    for (const role of ['publisher', 'viewer']) open.set({ role }, 0);
    sessions.on('opened', (session, protocol) => {
      open.inc({ role: roleOf(session) });
      opened.inc({ role: roleOf(session), protocol });
    });
    sessions.on('ended', (session, { code }) => {
      open.dec({ role: roleOf(session) });
      ended.inc({ role: roleOf(session), code });
    });
  };
}
