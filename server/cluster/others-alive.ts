import type { KnownNode } from './cluster-store.js';

/** The other servers of a database that live. */
export interface OthersAlive {
  readonly ids: ReadonlySet<string>;
  /** Whole milliseconds since 1970. A server that has joined since then is not among them. */
  readonly asOf: number;
}

export function othersAlive(nodes: readonly KnownNode[], ownId: string, asOf: number): OthersAlive {
  return { ids: new Set(nodes.flatMap(({ id, isAlive }) => (isAlive && id !== ownId ? id : []))), asOf };
}
