import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { ApiError } from '../../errors.js';

/** Holds the session of a dashboard login. */
export const SESSION_COOKIE = 'streamgate_session';

/** Undefined: the request has no session cookie. */
export function readSessionCookie(req: Request): string | undefined {
  return parseCookie(req.headers.cookie ?? '')[SESSION_COOKIE] || undefined;
}

/** Scripts and other sites cannot read the cookie. With `secure`, browsers never send it without TLS. */
export function setSessionCookie(
  res: Response,
  session: string,
  options: { expiresOn: number; secure: boolean },
): void {
  res.cookie(SESSION_COOKIE, session, { ...attributes(options.secure), expires: new Date(options.expiresOn) });
}

export function clearSessionCookie(res: Response, secure: boolean): void {
  res.clearCookie(SESSION_COOKIE, attributes(secure));
}

function attributes(secure: boolean) {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
}

/**
 * Refuses a request that a page of another site made with the session cookie. Browsers send Sec-Fetch-Site; where they
 * leave it out, as over plain HTTP, Origin is checked.
 * @throws {ApiError} 403 `cross_site_refused`
 */
export function refuseCrossSite(req: Request, publicUrl: string | undefined): void {
  const site = req.get('sec-fetch-site');
  const trusted = site === undefined ? isOwnOrigin(req, publicUrl) : site === 'same-origin' || site === 'none';
  if (trusted) return;
  throw new ApiError(403, 'cross_site_refused', 'A dashboard login can be used by pages of this server only');
}

function isOwnOrigin(req: Request, publicUrl: string | undefined): boolean {
  const origin = req.get('origin');
  if (origin === undefined || origin === publicUrl) return true;
  return URL.canParse(origin) && new URL(origin).host === req.get('host');
}
