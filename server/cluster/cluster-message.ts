import * as z from 'zod/mini';
import { streamId } from '../../src/wire/stream-id.js';
import type { ViewingElsewhere } from '../admission/token-viewings.js';
import { Emitter } from '../faults/emitter.js';

/** Longer than every id, name and address that servers tell each other. */
const word = z.string().check(z.maxLength(1_000));
const count = z.number().check(z.nonnegative());

const sharedViewing = z.object({
  /** Unique on its node. */
  id: z.number(),
  accountId: word,
  tokenId: z.number(),
  /** The limit of the self-signed token that admitted the client. */
  signed: z.nullable(z.object({ id: word, maxSessions: count })),
  /** When it began, in milliseconds since 1970. */
  since: z.number(),
  /** Whether older ones make room for it. It is told again when it does. Absent: of a version that lets it at once. */
  takesPlace: z.optional(z.boolean()),
});

/** A client that watches with a token on some node. */
export type SharedViewing = ViewingElsewhere & z.infer<typeof sharedViewing>;

/** What nodes tell each other, beside what the database has. A message may be lost. */
export const clusterMessage = z.discriminatedUnion('type', [
  /** The node begins to listen, or missed messages: every other node sends all its viewings and viewers. */
  z.object({ type: z.literal('hello') }),
  /** Replaces all viewings of the node. More may follow as `viewing`. */
  z.object({ type: z.literal('viewings-reset') }),
  z.object({ type: z.literal('viewing'), viewing: sharedViewing }),
  z.object({ type: z.literal('viewing-ended'), id: z.number() }),
  /** How many viewers media of a stream reaches on the node. `viewers-reset` says none of any stream. */
  z.object({ type: z.literal('viewers'), streamId, viewers: count }),
  z.object({ type: z.literal('viewers-reset') }),
  /** The node is about to stop: its broadcasters and viewers come back on another. */
  z.object({ type: z.literal('stopping') }),
  /** A client at this address presented a wrong secret. */
  z.object({ type: z.literal('failed-attempt'), address: word, kind: z.enum(['look-up', 'refusal']) }),
  /** The account ends the sessions of a record, on whichever node they are. */
  z.object({ type: z.literal('stop-session'), streamId, id: word }),
  /** How many sessions an account that has a limit has on the node. Sent when it changes, and with each heartbeat. */
  z.object({ type: z.literal('account-sessions'), accountId: word, sessions: count }),
]);

export type ClusterMessage = z.infer<typeof clusterMessage>;

export interface ClusterMessageEvents {
  message: [nodeId: string, message: ClusterMessage];
}

/** The messages of the other nodes, for each part that they concern. */
export class ClusterMessages extends Emitter<ClusterMessageEvents> {
  constructor() {
    super('cluster');
  }

  received(nodeId: string, message: ClusterMessage): void {
    this.emit('message', nodeId, message);
  }
}
