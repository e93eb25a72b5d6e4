import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CertificateFiles } from '../config/config.js';
import { ConfigError, configFaultText } from '../config/config-error.js';

/** A certificate with its private key, in PEM. The key is never logged. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
}

/**
 * Reads both files, and checks that they fit together.
 * @throws {ConfigError} names the variable and what its file must be
 */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const cert = textOf('TLS_CERT', certFile);
  const key = textOf('TLS_KEY', keyFile);
  const certificate = attempt(() => new X509Certificate(cert));
  if (!certificate)
    throw fault('TLS_CERT', 'must be a PEM file that begins with the certificate of the server', certFile);
  const privateKey: KeyObject | undefined = attempt(() => createPrivateKey(key));
  if (!privateKey) throw fault('TLS_KEY', 'must be a PEM file with a private key that has no passphrase', keyFile);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw fault('TLS_KEY', 'must be the private key of the certificate in TLS_CERT', keyFile);
  }
  return { cert, key, expiresOn: certificate.validToDate.getTime() };
}

function textOf(variable: string, path: string): string {
  const text = attempt(() => readFileSync(path, 'utf8'));
  if (text === undefined) throw fault(variable, 'must be a file that the server can read', path);
  return text;
}

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function fault(variable: string, message: string, path: string): ConfigError {
  return new ConfigError([configFaultText(variable, message, path)]);
}
