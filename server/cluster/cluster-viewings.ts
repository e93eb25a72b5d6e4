import type { ViewingElsewhere, ViewingsBegun, ViewingsElsewhere } from '../admission/token-viewings.js';
import { contain } from '../faults/contain.js';
import { Emitter } from '../faults/emitter.js';
import type { ClusterMessage } from './cluster-message.js';
import { Times } from './times.js';

export interface ClusterViewingsEvents {
  /** Viewings with a token began on other nodes, or got their media there. Those that are told together are one event. */
  began: [begun: ViewingsBegun];
}

interface OfToken {
  readonly all: Set<ViewingElsewhere>;
  readonly began: Times;
  /** By self-signed token. */
  readonly signedBegan: Map<string, Times>;
}

/** The viewings of tokens on the other nodes, in memory. */
export class ClusterViewings extends Emitter<ClusterViewingsEvents> implements ViewingsElsewhere {
  /** By node, and by the id of the viewing there. */
  readonly #byNode = new Map<string, Map<number, ViewingElsewhere>>();
  readonly #byToken = new Map<number, OfToken>();
  /** What is to be told, by token. */
  #begun = new Map<number, { readonly signedIds: Set<string>; takesPlace: boolean }>();

  constructor() {
    super('cluster');
  }

  of(tokenId: number): readonly ViewingElsewhere[] {
    return [...(this.#byToken.get(tokenId)?.all ?? [])];
  }

  count(tokenId: number, { signedId, before }: Parameters<ViewingsElsewhere['count']>[1] = {}): number {
    const ofToken = this.#byToken.get(tokenId);
    const times = signedId === undefined ? ofToken?.began : ofToken?.signedBegan.get(signedId);
    return (before === undefined ? times?.count : times?.countBefore(before)) ?? 0;
  }

  message(nodeId: string, message: ClusterMessage): void {
    if (message.type === 'viewings-reset') this.#forget(nodeId);
    if (message.type === 'viewing-ended') this.#remove(nodeId, message.id);
    if (message.type !== 'viewing') return;
    const { id, takesPlace = true, ...viewing } = message.viewing;
    this.#remove(nodeId, id);
    const ofNode = this.#byNode.get(nodeId);
    if (ofNode) ofNode.set(id, viewing);
    else this.#byNode.set(nodeId, new Map([[id, viewing]]));
    this.#add(viewing);
    this.#tellSoon(viewing, takesPlace);
  }

  /** Forgets the viewings of all other nodes. */
  keepOnly(nodeIds: ReadonlySet<string>): void {
    for (const nodeId of this.#byNode.keys()) if (!nodeIds.has(nodeId)) this.#forget(nodeId);
  }

  #add(viewing: ViewingElsewhere): void {
    const { tokenId, signed, since } = viewing;
    const ofToken = this.#byToken.get(tokenId) ?? { all: new Set(), began: new Times(), signedBegan: new Map() };
    this.#byToken.set(tokenId, ofToken);
    ofToken.all.add(viewing);
    ofToken.began.add(since);
    if (!signed) return;
    const ofSigned = ofToken.signedBegan.get(signed.id) ?? new Times();
    ofToken.signedBegan.set(signed.id, ofSigned);
    ofSigned.add(since);
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
    const { tokenId, signed, since } = viewing;
    const ofToken = this.#byToken.get(tokenId);
    if (!ofToken) return;
    ofToken.all.delete(viewing);
    if (ofToken.all.size === 0) return void this.#byToken.delete(tokenId);
    ofToken.began.remove(since);
    const ofSigned = signed ? ofToken.signedBegan.get(signed.id) : undefined;
    ofSigned?.remove(since);
    if (signed && ofSigned?.count === 0) ofToken.signedBegan.delete(signed.id);
  }

  /** A node that tells everything it has sends thousands at once. */
  #tellSoon({ tokenId, signed }: ViewingElsewhere, takesPlace: boolean): void {
    if (this.#begun.size === 0) setImmediate(contain('cluster', () => this.#tell()));
    const begun = this.#begun.get(tokenId) ?? { signedIds: new Set(), takesPlace: false };
    this.#begun.set(tokenId, begun);
    if (signed) begun.signedIds.add(signed.id);
    if (takesPlace) begun.takesPlace = true;
  }

  #tell(): void {
    const begun = this.#begun;
    this.#begun = new Map();
    for (const [tokenId, ofToken] of begun) this.emit('began', { tokenId, ...ofToken });
  }
}
