import type { Request, Response } from 'express';

const NAME = 'streamgate_session';

/** The dashboard session that the browser brought. */
export function readSessionCookie(req: Request): string | undefined {
  for (const pair of (req.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.split('=', 2);
    if (name?.trim() === NAME && value) return value.trim();
  }
  return undefined;
}

/** Out of reach of scripts and of other sites; over https never sent in the clear. */
export function setSessionCookie(
  res: Response,
  session: string,
  options: { expiresOn: number; secure: boolean },
): void {
  res.cookie(NAME, session, { ...attributes(options.secure), expires: new Date(options.expiresOn) });
}

export function clearSessionCookie(res: Response, secure: boolean): void {
  res.clearCookie(NAME, attributes(secure));
}

function attributes(secure: boolean) {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
}
