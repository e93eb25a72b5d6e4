import type { Logger } from 'pino';
import type { CertificateFiles } from '../config/config.js';
import { every } from '../faults/timers.js';
import { readCertificate, type Certificate } from './certificate.js';

const CHECK_EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
/** Renewals usually happen 30 days before. */
const WARN_BEFORE_MS = 14 * DAY_MS;

export interface CertificateFollowerOptions {
  readonly files: CertificateFiles;
  readonly now: () => number;
  readonly log: Logger;
}

/**
 * The certificate of the server. Reads its files again when they change, as after a renewal. Files that cannot be used
 * change nothing: the last good certificate stays.
 */
export class CertificateFollower {
  readonly #options: CertificateFollowerOptions;
  #certificate: Certificate;
  #onChange: (certificate: Certificate) => void = () => {};
  /** The fault that the last check found. It is logged when a second check finds it, because files change one by one. */
  #fault: { readonly message: string; readonly logged: boolean } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #warnedOfExpiry: number | undefined;

  /** @throws {ConfigError} a file cannot be used */
  constructor(options: CertificateFollowerOptions) {
    this.#options = options;
    this.#certificate = readCertificate(options.files);
    this.#warnOfExpiry();
  }

  get certificate(): Certificate {
    return this.#certificate;
  }

  /** Begins to watch the files. */
  follow(onChange: (certificate: Certificate) => void): void {
    this.#onChange = onChange;
    this.#timer ??= every('http', CHECK_EVERY_MS, () => this.check()).unref();
  }

  /** Compares the files with the certificate in use. */
  check(): void {
    const { files, log } = this.#options;
    this.#warnOfExpiry();
    try {
      const read = readCertificate(files);
      this.#fault = undefined;
      if (read.cert === this.#certificate.cert && read.key === this.#certificate.key) return;
      this.#certificate = read;
      this.#onChange(read);
      log.info({ expiresOn: new Date(read.expiresOn).toISOString() }, 'the TLS certificate was replaced');
      this.#warnOfExpiry();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const isKnown = this.#fault?.message === message;
      if (isKnown && !this.#fault?.logged) log.warn({ err: error }, 'the TLS certificate could not be read again');
      this.#fault = { message, logged: isKnown };
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Logs once a day from two weeks before the certificate expires. */
  #warnOfExpiry(): void {
    const { now, log } = this.#options;
    const { expiresOn } = this.#certificate;
    if (now() < expiresOn - WARN_BEFORE_MS) return;
    if (this.#warnedOfExpiry !== undefined && now() - this.#warnedOfExpiry < DAY_MS) return;
    this.#warnedOfExpiry = now();
    log.warn({ expiresOn: new Date(expiresOn).toISOString() }, 'the TLS certificate expires soon, or has expired');
  }
}
