import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';

export const SESSION_COOKIE = 'streamgate_session';

/** The dashboard session of the request. Undefined: the request has none. */
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
