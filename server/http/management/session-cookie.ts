import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { ApiError } from '../../errors.js';

/** Holds the session of a dashboard login. */
export const SESSION_COOKIE = 'streamgate_session';
/** Over HTTPS: browsers take a cookie of this name only from this host itself, with Secure (RFC 6265bis 4.1.3.2). */
const SECURE_COOKIE = `__Host-${SESSION_COOKIE}`;

/**
 * The session cookie. Undefined: the request has none. Over HTTPS only a secure cookie counts, because a neighbouring
 * host of the same domain can set one with the other name.
 */
export function readSessionCookie(req: Request, publicUrl: string | undefined): string | undefined {
  return parseCookie(req.headers.cookie ?? '')[nameOf(isHttps(req, publicUrl))] || undefined;
}

/** Scripts and other sites cannot read the cookie. Over HTTPS, browsers never send it without TLS. */
export function setSessionCookie(
  req: Request,
  res: Response,
  { session, expiresOn, publicUrl }: { session: string; expiresOn: number; publicUrl: string | undefined },
): void {
  const secure = isHttps(req, publicUrl);
  res.cookie(nameOf(secure), session, { ...attributes(secure), expires: new Date(expiresOn) });
}

export function clearSessionCookie(req: Request, res: Response, publicUrl: string | undefined): void {
  const secure = isHttps(req, publicUrl);
  res.clearCookie(nameOf(secure), attributes(secure));
}

/** TLS ends at this server, or at a proxy that serves `publicUrl`. */
function isHttps(req: Request, publicUrl: string | undefined): boolean {
  if (req.secure) return true;
  return publicUrl?.startsWith('https:') === true && new URL(publicUrl).host === req.get('host');
}

function nameOf(secure: boolean): string {
  return secure ? SECURE_COOKIE : SESSION_COOKIE;
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
