import { health } from '../../../src/wire/management/health.js';
import { defineEndpoints, successOf } from './endpoint.js';

export const healthEndpoints = defineEndpoints({
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
    errors: { 503: ['database_unavailable'] },
  },
});
