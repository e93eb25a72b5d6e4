import type { HealthCheck } from './health-checks.js';

const DAY_MS = 86_400_000;
/** A renewal is usually due 30 days before, and was tried many times by now. */
const WARN_BEFORE_MS = 7 * DAY_MS;

export interface CertificateCheckOptions {
  /** Of the certificate that is served now. Milliseconds since 1970. Rejects if no connection gets one. */
  readonly expiresOn: () => Promise<number>;
  readonly now: () => number;
  /** By a wrong clock nobody can say whether a certificate has expired. The clock is reported by itself. */
  readonly isClockWrong: () => boolean;
}

/** Whether the server answers over TLS, and browsers accept the certificate that is served, also when its files were not renewed or cannot be read. */
export function certificateCheck({ expiresOn, now, isClockWrong }: CertificateCheckOptions): HealthCheck {
  return {
    component: 'certificate',
    async check() {
      let end: number;
      try {
        end = await expiresOn();
      } catch (error) {
        const message = `The server does not answer over HTTPS: ${(error as Error).message}`;
        return { level: 'problem', code: 'https_unavailable', message };
      }
      if (end - now() > WARN_BEFORE_MS || isClockWrong()) return undefined;
      const day = new Date(end).toISOString();
      if (end <= now()) {
        const message = `The TLS certificate has expired (${day}): browsers do not connect`;
        return { level: 'problem', code: 'certificate_expired', message };
      }
      const message = `The TLS certificate expires soon (${day}), and was not renewed`;
      return { level: 'warning', code: 'certificate_expiring', message };
    },
  };
}
