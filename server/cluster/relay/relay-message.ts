import * as z from 'zod/mini';
import { text } from '../../../src/wire/text.js';

/** Where a server asks another for a stream. */
export const RELAY_PATH = '/api/relay';

/** A pass has a stream name of up to some hundred characters. */
const LONGEST_PASS = 4_096;

export const relayRequest = z.object({
  /** Signed by `RelayPasses`. */
  pass: text.check(z.maxLength(LONGEST_PASS)),
  /** SDP. */
  offer: text,
});

export const relayAnswer = z.object({
  /** SDP. */
  answer: z.string(),
  /** See `RelayPasses.prove`. */
  proof: z.string(),
});

export type RelayRequest = z.infer<typeof relayRequest>;
export type RelayAnswer = z.infer<typeof relayAnswer>;
