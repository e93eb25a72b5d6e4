import type { ClusterMessage } from './cluster-message.js';

/** How many sessions the accounts that have a limit have on the other nodes, in memory. */
export class ClusterAccountSessions {
  readonly #byNode = new Map<string, Map<string, number>>();

  of(accountId: string): number {
    let sessions = 0;
    for (const ofNode of this.#byNode.values()) sessions += ofNode.get(accountId) ?? 0;
    return sessions;
  }

  message(nodeId: string, message: ClusterMessage): void {
    if (message.type !== 'account-sessions') return;
    const { accountId, sessions } = message;
    const ofNode = this.#byNode.get(nodeId) ?? new Map<string, number>();
    this.#byNode.set(nodeId, ofNode);
    if (sessions > 0) ofNode.set(accountId, sessions);
    else ofNode.delete(accountId);
  }

  /** Forgets the sessions of all other nodes. */
  keepOnly(nodeIds: ReadonlySet<string>): void {
    for (const nodeId of this.#byNode.keys()) if (!nodeIds.has(nodeId)) this.#byNode.delete(nodeId);
  }
}
