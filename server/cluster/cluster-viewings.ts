import { EventEmitter } from 'node:events';
import type { ViewingElsewhere, ViewingsElsewhere } from '../admission/token-viewings.js';
import type { ClusterMessage } from './cluster-message.js';

export interface ClusterViewingsEvents {
  /** A viewing with the token began on another node. */
  began: [tokenId: number];
}

/** The viewings of tokens on the other nodes, in memory. */
export class ClusterViewings extends EventEmitter<ClusterViewingsEvents> implements ViewingsElsewhere {
  /** By node, and by the id of the viewing there. */
  readonly #byNode = new Map<string, Map<number, ViewingElsewhere>>();
  readonly #byToken = new Map<number, Set<ViewingElsewhere>>();

  of(tokenId: number): readonly ViewingElsewhere[] {
    return [...(this.#byToken.get(tokenId) ?? [])];
  }

  message(nodeId: string, message: ClusterMessage): void {
    if (message.type === 'viewings-reset') this.#forget(nodeId);
    if (message.type === 'viewing-ended') this.#remove(nodeId, message.id);
    if (message.type !== 'viewing') return;
    const { id, ...viewing } = message.viewing;
    this.#remove(nodeId, id);
    const ofNode = this.#byNode.get(nodeId);
    if (ofNode) ofNode.set(id, viewing);
    else this.#byNode.set(nodeId, new Map([[id, viewing]]));
    const ofToken = this.#byToken.get(viewing.tokenId);
    if (ofToken) ofToken.add(viewing);
    else this.#byToken.set(viewing.tokenId, new Set([viewing]));
    this.emit('began', viewing.tokenId);
  }

  /** Forgets the viewings of all other nodes. */
  keepOnly(nodeIds: ReadonlySet<string>): void {
    for (const nodeId of this.#byNode.keys()) if (!nodeIds.has(nodeId)) this.#forget(nodeId);
  }

  #forget(nodeId: string): void {
    for (const id of this.#byNode.get(nodeId)?.keys() ?? []) this.#remove(nodeId, id);
    this.#byNode.delete(nodeId);
  }

  #remove(nodeId: string, id: number): void {
    const ofNode = this.#byNode.get(nodeId);
    const viewing = ofNode?.get(id);
    if (!ofNode || !viewing) return;
    ofNode.delete(id);
    const ofToken = this.#byToken.get(viewing.tokenId);
    ofToken?.delete(viewing);
    if (ofToken?.size === 0) this.#byToken.delete(viewing.tokenId);
  }
}
