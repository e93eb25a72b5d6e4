import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
/** Steps before and after the present one that are accepted too: clocks differ, and people type slowly. */
const WINDOW = 1;

/** 160 bits, in base32. */
export function newCodeSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** For authenticator apps: what their QR code contains. */
export function codeUri(
  secret: string,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): string {
  return new TOTP({ secret: Secret.fromBase32(secret), issuer, label, period: PERIOD_S }).toString();
}

/** The time step of a code (RFC 6238). Undefined: it is not the code of the present step, nor of the one before or after. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const delta = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S }).validate({
    token: code,
    timestamp: now,
    window: WINDOW,
  });
  return delta === null ? undefined : Math.floor(now / 1_000 / PERIOD_S) + delta;
}
