import type { TokenViewings, Viewing } from '../admission/token-viewings.js';
import type { ClusterMessage } from './cluster-message.js';

/** Tells the other nodes of the viewings of this one, while there are others. */
export class SharedViewings {
  readonly #viewings: Pick<TokenViewings, 'all'>;
  readonly #send: (message: ClusterMessage) => void;
  #hasOthers = false;

  constructor(viewings: Pick<TokenViewings, 'all' | 'on'>, send: (message: ClusterMessage) => void) {
    this.#viewings = viewings;
    this.#send = send;
    viewings.on('began', (viewing) => this.#hasOthers && send(beginning(viewing)));
    viewings.on('connected', (viewing) => this.#hasOthers && send(beginning(viewing)));
    viewings.on('ended', ({ order }) => this.#hasOthers && send({ type: 'viewing-ended', id: order }));
  }

  /** Another node listens from now on, or has missed messages: sends it everything. */
  sendAll(): void {
    this.#hasOthers = true;
    this.#send({ type: 'viewings-reset' });
    for (const viewing of this.#viewings.all) this.#send(beginning(viewing));
  }

  /** Whether there are other nodes. To the first that comes, everything is sent. */
  setOthers(hasOthers: boolean): void {
    if (hasOthers && !this.#hasOthers) this.sendAll();
    this.#hasOthers = hasOthers;
  }
}

function beginning({ order, accountId, tokenId, signed, since, takesPlace }: Viewing): ClusterMessage {
  const limit = signed && { id: signed.id, maxSessions: signed.maxSessions };
  return { type: 'viewing', viewing: { id: order, accountId, tokenId, signed: limit, since, takesPlace } };
}
