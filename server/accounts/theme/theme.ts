import { createHash } from 'node:crypto';
import type { LogoType, ThemeBody } from '../../../src/wire/management/theme.js';

export interface Logo {
  readonly type: LogoType;
  readonly bytes: Buffer;
}

/** How the hosted pages of an account look. Null: as the product. */
export interface Theme {
  readonly name: string | null;
  /** As `#e5484d`, in lower case. */
  readonly accent: string | null;
  readonly background: string | null;
  readonly logo: Logo | null;
}

export const NO_THEME: Theme = { name: null, accent: null, background: null, logo: null };

/** Undefined: it is none of the accepted formats. The first bytes decide, not what the sender calls it. */
export function logoTypeOf(bytes: Buffer): LogoType | undefined {
  const begins = (text: string, at = 0): boolean =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begins('\xff\xd8\xff')) return 'image/jpeg';
  return begins('RIFF') && begins('WEBP', 8) ? 'image/webp' : undefined;
}

/** Where the logo is served. The path changes with the image, so that browsers may keep it. */
export function logoPath(accountId: string, { bytes }: Logo): string {
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  return `/theme/${encodeURIComponent(accountId)}/logo-${version}`;
}

export function themeBodyOf(accountId: string, { name, accent, background, logo }: Theme): ThemeBody {
  return {
    name,
    accent,
    background,
    logo: logo && { type: logo.type, bytes: logo.bytes.length, path: logoPath(accountId, logo) },
  };
}
