import { hash, timingSafeEqual } from 'node:crypto';
import type { Router } from 'express';
import { UnauthorizedError } from '../errors.js';
import { endpointRouter } from './endpoints/endpoint-router.js';
import { metricsEndpoints } from './endpoints/metrics-endpoint.js';

/** The figures of the server, and the secret of who may read them. */
export interface ReadableMetrics {
  readonly token: string;
  readonly contentType: string;
  text(): Promise<string>;
}

/** `GET /metrics`, for callers with the token. @param metrics undefined: there is no such address */
export function metricsRoutes(metrics: ReadableMetrics | undefined): Router {
  return endpointRouter(metricsEndpoints, {
    metrics: [
      async (req, res, next) => {
        if (!metrics) return next('route');
        mustBearToken(req.get('authorization'), metrics.token);
        res.set('cache-control', 'no-store').type(metrics.contentType);
        res.send(await metrics.text());
      },
    ],
  });
}

/** @throws {UnauthorizedError} `metrics_token_wrong` */
function mustBearToken(authorization: string | undefined, token: string): void {
  const presented = /^Bearer[ \t]+(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  // Hashes have one length, and the comparison takes equally long for all.
  if (timingSafeEqual(hash('sha256', presented, 'buffer'), hash('sha256', token, 'buffer'))) return;
  throw new UnauthorizedError('metrics_token_wrong', 'Unauthorized: send Authorization: Bearer <METRICS_TOKEN>');
}
