import * as z from 'zod/mini';
import { accountId, streamName } from '../../src/wire/text.js';
import { clusterMessage, type ClusterMessage } from './cluster-message.js';

/** A later version may say more. */
const more = z.unknown();
const notification = z.union([
  z.tuple([z.literal('stream'), accountId, streamName], more),
  z.tuple([z.literal('node')], more),
  z.tuple([z.literal('messages'), z.string().check(z.maxLength(64)), z.array(z.unknown())], more),
]);

export type ClusterNotification = z.infer<typeof notification>;

/** What arrived is not of a server on this database, or of a version that says what this one does not know. */
export class ForeignMessageError extends Error {
  override name = 'ForeignMessageError';
}

/**
 * Reads what the triggers of the database and the other nodes send.
 * @throws {ForeignMessageError} without what it says: whoever sent it may have sent a secret
 */
export function readNotification(payload: string): ClusterNotification {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    throw new ForeignMessageError(`a notification of ${payload.length} characters is not JSON`);
  }
  const read = notification.safeParse(value);
  if (!read.success) throw new ForeignMessageError(`a notification of ${payload.length} characters is not of a server`);
  return read.data;
}

/** @throws {ForeignMessageError} */
export function readClusterMessage(value: unknown): ClusterMessage {
  const read = clusterMessage.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ForeignMessageError(`the message of another server is unknown: ${issue?.path.join('.')} ${issue?.message}`);
}
