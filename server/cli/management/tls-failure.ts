import { CommandError } from '../command.js';

/** What the check of a certificate said (codes of Node and OpenSSL), and what to do about it. */
const CERTIFICATE_FAULTS: Readonly<Record<string, readonly [fault: string, next: string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'its certificate is self-signed, and this machine does not trust it',
    'If it is yours, set NODE_EXTRA_CA_CERTS to the file of the certificate',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'its certificate comes from an authority that this machine does not trust',
    'If the authority is yours, set NODE_EXTRA_CA_CERTS to the file of its certificate',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'its certificate comes from an authority that this machine does not know',
    'Have the server send the intermediate certificates too (fullchain.pem); if the authority is yours, set NODE_EXTRA_CA_CERTS to the file of its certificate',
  ],
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Renew it, or correct the clock of this machine'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'Correct the clock of this machine, or that of the server'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its certificate is for another host name',
    'Set STREAMGATE_ENDPOINT to a name that is in the certificate',
  ],
};

const SAME_AS: Readonly<Record<string, keyof typeof CERTIFICATE_FAULTS>> = {
  UNABLE_TO_GET_ISSUER_CERT: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
};

/** Other faults of a certificate, such as CERT_REVOKED, and of the handshake. */
const OTHER_FAULT = /^(?:CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|INVALID_CA$|INVALID_PURPOSE$|EPROTO$)/;
/** The handshake itself could not be read: what answers does not speak TLS. */
const NO_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/;

/**
 * The failure to tell, where `error` was caused by TLS: a server answers, and cannot be trusted or understood.
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
      ? ['it does not speak TLS on this port', 'Set STREAMGATE_ENDPOINT to the port of https, or to http://…']
      : [message, 'Correct the TLS settings of the server or its proxy']);
  return new CommandError('tls_failed', `There is a server at ${endpoint}, but ${fault} (${code}). ${next}.`);
}

function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootCause(error.cause) : error;
}
