import { createHash, createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { streamId, type StreamId } from '../../../src/wire/stream-id.js';
import { parseJson } from '../../bounded-json.js';

/** What a server asks of another: one stream, once. */
export interface RelayPass {
  readonly streamId: StreamId;
  /** The ids of the nodes. */
  readonly from: string;
  readonly to: string;
  /** Of the node that has the stream: it is not asked for what it had in an earlier epoch. */
  readonly epoch: number;
}

export type RelayPassCheck =
  | { readonly ok: true; readonly pass: RelayPass; readonly id: string; readonly expiresAt: number }
  | { readonly ok: false };

/** A call between servers takes a fraction of this. Their clock is that of the database. */
const LIFETIME_MS = 15_000;

const fields = z.strictObject({
  id: z.string(),
  streamId,
  from: z.string(),
  to: z.string(),
  epoch: z.number(),
  expiresAt: z.number(),
  /** The hash of the SDP offer. */
  offer: z.string(),
});

const REFUSED = Object.freeze({ ok: false });

/**
 * Signs and verifies the passes with which servers ask each other for a stream. The offer and the answer are signed too:
 * they have the fingerprints that DTLS checks, so a relay is between two servers that know the key, whoever carries their
 * calls.
 */
export class RelayPasses {
  readonly #key: KeyObject;

  constructor(key: KeyObject) {
    this.#key = key;
  }

  /** @param now milliseconds since 1970 */
  sign(pass: RelayPass, offer: string, now: number): string {
    const id = randomBytes(16).toString('hex');
    const { streamId, from, to, epoch } = pass;
    const signed = { id, streamId, from, to, epoch, expiresAt: now + LIFETIME_MS, offer: hashOf(offer) };
    const text = Buffer.from(JSON.stringify(signed)).toString('base64url');
    return `${text}.${this.#mac('pass', text)}`;
  }

  /** @param offer that came with the pass */
  check(signed: string, offer: string, now: number): RelayPassCheck {
    const [text, mac, ...rest] = signed.split('.', 3);
    if (!text || mac === undefined || rest.length > 0 || !areEqual(mac, this.#mac('pass', text))) return REFUSED;
    const read = fields.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
    // Another version signs other fields.
    if (!read.success) return REFUSED;
    const { id, expiresAt, offer: offerHash, ...pass } = read.data;
    if (now >= expiresAt || offerHash !== hashOf(offer)) return REFUSED;
    return { ok: true, pass, id, expiresAt };
  }

  /** Shows that the answer comes from a server that knows the key, and belongs to this pass. */
  prove(signed: string, answer: string): string {
    return this.#mac('answer', `${signed}.${hashOf(answer)}`);
  }

  isProven(signed: string, answer: string, proof: string): boolean {
    return areEqual(proof, this.prove(signed, answer));
  }

  #mac(purpose: 'pass' | 'answer', text: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}:${text}`).digest('base64url');
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function areEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
