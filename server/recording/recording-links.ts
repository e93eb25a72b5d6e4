import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/** What a link permits: the file of one recording, until a time. */
export interface RecordingLink {
  readonly recordingId: string;
  /** Seconds since 1970. */
  readonly expires: number;
  /** Whether browsers save the file instead of playing it. */
  readonly isDownload: boolean;
}

export type LinkVerdict = 'valid' | 'expired' | 'invalid';

/** The path of a link. It names no account and no token, and opens nothing but this file. */
export function linkPath(key: KeyObject, link: RecordingLink): string {
  const { recordingId, expires, isDownload } = link;
  const query = new URLSearchParams({
    expires: String(expires),
    ...(isDownload && { download: '1' }),
    signature: signatureOf(key, link),
  });
  return `/api/recordings/${recordingId}/media?${query}`;
}

/** @param now milliseconds since 1970 */
export function linkVerdict(key: KeyObject, link: RecordingLink, signature: string, now: number): LinkVerdict {
  const [expected, given] = [signatureOf(key, link), signature].map((text) => Buffer.from(text));
  if (expected!.length !== given!.length || !timingSafeEqual(expected!, given!)) return 'invalid';
  return link.expires * 1_000 > now ? 'valid' : 'expired';
}

function signatureOf(key: KeyObject, { recordingId, expires, isDownload }: RecordingLink): string {
  return createHmac('sha256', key)
    .update(`${recordingId}.${expires}.${Number(isDownload)}`)
    .digest('base64url');
}
