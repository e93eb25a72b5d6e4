import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { startingApp } from '../http/starting-app.js';
import { HttpListener } from '../http-listener.js';
import { CertificateFollower } from '../tls/certificate-follower.js';

/** Listens at the address of a server that waits for its database, so that callers learn that it is not ready. */
export class StartingListener {
  readonly #listener = new HttpListener();
  #certificates: CertificateFollower | undefined;

  /** @throws {ConfigError} a file of the TLS certificate cannot be used */
  async listen({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>, log: Logger): Promise<void> {
    this.#certificates = tls && new CertificateFollower({ files: tls, now: Date.now, log });
    const app = startingApp(new Date());
    await this.#listener.listen({ host, port, app, certificates: this.#certificates, signalling: { attach() {} } });
  }

  async close(): Promise<void> {
    this.#certificates?.close();
    await this.#listener.close();
  }
}
