import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { isFromProxy } from '../http/request/client-address.js';
import { requestIdentifier } from '../http/request/request-id.js';
import { startingApp } from '../http/starting-app.js';
import { HttpListener } from '../http-listener.js';
import { CertificateFollower } from '../tls/certificate-follower.js';

type ListenConfig = Pick<Config, 'host' | 'port' | 'tls' | 'trustedProxies'>;

/** Listens at the address of a server that waits for its database, so that callers learn that it is not ready. */
export class StartingListener {
  readonly #listener = new HttpListener();
  #certificates: CertificateFollower | undefined;

  /** @throws {ConfigError} a file of the TLS certificate cannot be used */
  async listen({ host, port, tls, trustedProxies }: ListenConfig, log: Logger): Promise<void> {
    this.#certificates = tls && new CertificateFollower({ files: tls, now: Date.now, log });
    const app = startingApp(new Date(), requestIdentifier(isFromProxy(trustedProxies)));
    await this.#listener.listen({ host, port, app, certificates: this.#certificates, signalling: { attach() {} } });
  }

  async close(): Promise<void> {
    this.#certificates?.close();
    await this.#listener.close();
  }
}
