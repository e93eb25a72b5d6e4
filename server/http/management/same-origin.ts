import type { Request } from 'express';
import { ApiError } from '../../errors.js';

/**
 * Refuses a request that another site's page made in the browser of somebody who is logged in here.
 * Browsers say so in Sec-Fetch-Site; where they leave it out, as on plain http, Origin tells.
 * @throws {ApiError} 403 `cross_site_refused`
 */
export function refuseCrossSite(req: Request, publicUrl: string | undefined): void {
  const site = req.get('sec-fetch-site');
  const trusted = site === undefined ? isOwnOrigin(req, publicUrl) : site === 'same-origin' || site === 'none';
  if (trusted) return;
  throw new ApiError(403, 'cross_site_refused', 'A dashboard login counts on pages of this server only');
}

function isOwnOrigin(req: Request, publicUrl: string | undefined): boolean {
  const origin = req.get('origin');
  if (origin === undefined || origin === publicUrl) return true;
  return URL.canParse(origin) && new URL(origin).host === req.get('host');
}
