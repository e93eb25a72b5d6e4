import * as z from 'zod/mini';
import { ACCOUNT_ID, plainText, streamName as streamNameSchema } from './text.js';

/** The two names by which a stream is found. */
export interface StreamNames {
  /** In the form of the schema `accountId`: without a slash. */
  readonly accountId: string;
  /** May contain `/`. */
  readonly streamName: string;
}

/**
 * `ACCOUNT/STREAM`: a stream on the wire, and its key in memory. Only this file makes one, and only after a look at the
 * account id: with a slash in it, two streams would have one id.
 */
export type StreamId = string & z.core.$brand<'StreamId'>;

/** The id of a stream that comes from outside. */
export const streamId = plainText
  .check(
    z.maxLength(577, { abort: true }),
    z.normalize('NFC'),
    z.maxLength(193),
    z.refine(
      (text) => isStreamId(text) && streamNameSchema.safeParse(namesOf(text).streamName).success,
      'must be like accountId/streamName',
    ),
  )
  .brand<'StreamId'>();

/** @throws {TypeError} `accountId` is not in the form of account ids, or `streamName` is empty */
export function streamIdOf(accountId: string, streamName: string): StreamId {
  const id = `${accountId}/${streamName}`;
  if (ACCOUNT_ID.test(accountId) && isStreamId(id)) return id;
  throw new TypeError('a stream id needs the id of an account and the name of a stream');
}

/** The names that the id was made of. */
export function namesOf(id: StreamId): StreamNames {
  const slash = id.indexOf('/');
  return { accountId: id.slice(0, slash), streamName: id.slice(slash + 1) };
}

/** An id that was a text in between, as in media engines. Undefined: the text is not the id of a stream. */
export function readStreamId(text: string): StreamId | undefined {
  return isStreamId(text) ? text : undefined;
}

function isStreamId(text: string): text is StreamId {
  const slash = text.indexOf('/');
  return slash > 0 && slash < text.length - 1 && ACCOUNT_ID.test(text.slice(0, slash));
}
