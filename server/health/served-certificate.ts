import { once } from 'node:events';
import { connect } from 'node:tls';

const ANSWER_MS = 5_000;

/**
 * Connects over TLS, as browsers do.
 * @returns when the certificate that is served expires, in milliseconds since 1970
 * @throws {Error} there is no TLS connection
 */
export async function servedUntil(host: string, port: number): Promise<number> {
  // Whether browsers trust it depends on the name that they use.
  const socket = connect({ host, port, rejectUnauthorized: false });
  socket.on('error', () => {});
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) });
    const certificate = socket.getPeerX509Certificate();
    if (!certificate) throw new Error('no certificate is served');
    return certificate.validToDate.getTime();
  } finally {
    socket.destroy();
  }
}
