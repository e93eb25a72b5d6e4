import { health, healthProblemCode, liveness, readiness } from '../../../src/wire/management/health.js';
import { defineEndpoints, successOf } from './endpoint.js';

export const healthEndpoints = defineEndpoints({
  liveness: {
    method: 'get',
    path: '/livez',
    id: 'liveness',
    tag: 'Server',
    summary: 'Whether the server answers at all',
    description:
      'For service managers that start a server again which hangs. It asks nothing of the database, the disk or the media engine: a restart would not help them, and disconnects everyone.',
    response: successOf(liveness),
    access: 'open',
  },
  health: {
    method: 'get',
    path: '/healthz',
    id: 'health',
    tag: 'Server',
    summary: 'Whether the server can admit viewers, and other problems',
    description:
      'A full disk is a problem of a server that is up. Running broadcasts continue while the server is not up: do not restart it because of this answer.',
    response: successOf(health),
    access: 'open',
    errors: { 503: ['database_unavailable', 'engine_unavailable', 'server_stopping'] },
  },
  readiness: {
    method: 'get',
    path: '/readyz',
    id: 'readiness',
    tag: 'Server',
    summary: 'Whether the server should get new clients, or others first: every part of it, with warnings',
    description: 'For load balancers in front of several servers. For one server alone, use `/healthz`.',
    response: successOf(readiness),
    access: 'open',
    errors: { 503: healthProblemCode.options },
  },
});
