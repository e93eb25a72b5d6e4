import { defineEndpoints } from './endpoint.js';

export const metricsEndpoints = defineEndpoints({
  metrics: {
    method: 'get',
    path: '/metrics',
    id: 'metrics',
    tag: 'Server',
    summary: 'Figures of the server for Prometheus',
    description:
      'Only on a server with the variable METRICS_TOKEN, and only with its value as `Authorization: Bearer`. docs/reference/metrics.md lists the figures.',
    fileTypes: ['text/plain'],
    access: 'open',
    errors: { 401: ['metrics_token_wrong'], 404: ['route_not_found'] },
  },
});
