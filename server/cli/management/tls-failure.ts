import { CommandError } from '../command.js';

/** Codes of Node and OpenSSL for a certificate that was refused: what is wrong, and what to do. */
const CERTIFICATE_FAULTS: Readonly<Record<string, readonly [fault: string, next: string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'its certificate is self-signed, and this machine does not trust the certificate',
    'If the certificate is yours, set NODE_EXTRA_CA_CERTS to the file of the certificate',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'its certificate comes from an authority that this machine does not trust',
    'If the authority is yours, set NODE_EXTRA_CA_CERTS to the file of its certificate',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'its certificate comes from an authority that this machine does not know',
    'Configure the server to send the intermediate certificates too (fullchain.pem); if the authority is yours, set NODE_EXTRA_CA_CERTS to the file of its certificate',
  ],
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Renew the certificate, or correct the clock of this machine'],
  CERT_NOT_YET_VALID: [
    'its certificate is not valid yet',
    'Correct the clock of this machine, or the clock of the server',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its certificate is for another host name',
    'Set STREAMGATE_ENDPOINT to a name that is in the certificate',
  ],
};

/** Codes that mean the same as one of the above. */
const SAME_AS: Readonly<Record<string, keyof typeof CERTIFICATE_FAULTS>> = {
  UNABLE_TO_GET_ISSUER_CERT: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
};

/** Codes of other certificate and handshake errors, such as CERT_REVOKED. */
const OTHER_FAULT = /^(?:CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|INVALID_CA$|INVALID_PURPOSE$|EPROTO$)/;
/** The answer is not TLS. */
const NO_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/;

/**
 * The error to report if TLS caused `error`: a server answers, but the certificate or the handshake failed.
 * Undefined for every other cause.
 */
export function tlsFailure(endpoint: string, error: unknown): CommandError | undefined {
  const cause = rootCause(error);
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return undefined;
  const { code, message } = cause;
  const known = CERTIFICATE_FAULTS[SAME_AS[code] ?? code];
  if (!known && !OTHER_FAULT.test(code)) return undefined;
  const [fault, next] =
    known ??
    (NO_TLS.test(`${code} ${message}`)
      ? ['it does not speak TLS on this port', 'Set STREAMGATE_ENDPOINT to the https port, or to http://…']
      : [message, 'Correct the TLS settings of the server or its proxy']);
  return new CommandError('tls_failed', `There is a server at ${endpoint}, but ${fault} (${code}). ${next}.`);
}

function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootCause(error.cause) : error;
}
