import type { Logger } from 'pino';
import type { KnownNode, NodeIdentity } from './cluster-store.js';

/** Logs which other nodes come and go. */
export class NodeLog {
  readonly #identity: NodeIdentity;
  readonly #log: Pick<Logger, 'info' | 'warn'>;
  readonly #present = new Map<string, NodeIdentity>();

  constructor(identity: NodeIdentity, log: Pick<Logger, 'info' | 'warn'>) {
    this.#identity = identity;
    this.#log = log;
  }

  /** @param nodes all that the database knows */
  update(nodes: readonly KnownNode[]): void {
    for (const { id, url, isAlive } of nodes) {
      if (id === this.#identity.id || this.#present.has(id) === isAlive) continue;
      if (isAlive) this.#come({ id, url });
      else {
        this.#present.delete(id);
        this.#log.warn({ node: id, url }, 'another server is lost: its streams are free');
      }
    }
    const known = new Set(nodes.map(({ id }) => id));
    for (const { id, url } of this.#present.values()) {
      if (known.has(id)) continue;
      this.#present.delete(id);
      this.#log.info({ node: id, url }, 'another server has left');
    }
  }

  /** Nodes that were lost for long were deleted. */
  readonly removed = (nodes: readonly NodeIdentity[]): void => {
    for (const { id, url } of nodes) this.#log.info({ node: id, url }, 'a server that was lost is forgotten');
  };

  #come({ id, url }: NodeIdentity): void {
    this.#present.set(id, { id, url });
    this.#log.info({ node: id, url }, 'another server is on the database');
    if (url !== undefined && url !== this.#identity.url) return;
    const message = 'clients cannot tell the servers on the database apart: give each its own NODE_URL';
    this.#log.warn({ node: id, url }, message);
  }
}
