import { randomUUID } from 'node:crypto';
import type { Reason } from '../../src/wire/reason.js';
import { decide, publishingRules, viewingRules } from '../rules/decide.js';
import type { AccessRequest, AdmittingToken, Rule } from '../rules/access-request.js';
import { streamIdOf, type Place, type StreamRegistry } from '../streams/stream-registry.js';
import type { StreamState } from '../streams/stream.js';
import type { Verdict } from '../rules/verdict.js';
import type { TokenKind } from '../tokens/token-record.js';
import type { Grant } from './grant.js';

/** What a caller says of himself. */
export interface Application {
  /** Undefined: none was presented. Empty: one that cannot be read. */
  readonly token: string | undefined;
  /** Needed only of callers without a token. */
  readonly accountId: string | undefined;
  readonly streamName: string;
  readonly origin: string | undefined;
  readonly address: string;
  /** Publishers: the key of the session they lost. */
  readonly sessionKey?: string | undefined;
  /** Publishers: the source they are. Undefined: they tell it when they publish. */
  readonly sourceId?: string | null | undefined;
}

export type Admitted =
  | { readonly admitted: true; readonly grant: Grant; readonly token: AdmittingToken | undefined }
  | {
      readonly admitted: false;
      readonly reason: Reason;
      readonly request: AccessRequest;
      /** How soon asking again may help, where that is known. */
      readonly retryInMs: number | undefined;
    };

/** Where tokens are found by what their bearer presents, and by their id; and where an address is bound to one. */
export interface TokenSource {
  findByValue(value: string): AdmittingToken | undefined;
  findById(id: number): AdmittingToken | undefined;
  /** Takes a place for the address if there is one, in one step and on every node. */
  bindAddress(tokenId: number, address: string): Promise<'bound' | 'already_bound' | 'full'>;
  /** Where what is known of the token may be out of date: looks again, before it is found. */
  freshen?(value: string | undefined): Promise<void> | undefined;
}

export interface AdmissionParts {
  readonly tokens: TokenSource;
  readonly streams: StreamRegistry;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hears of every no, at the door and inside. Must be quick. */
  readonly onRefused: (request: AccessRequest, reason: Reason) => void;
}

const RULES: Readonly<Record<TokenKind, readonly Rule[]>> = { publish: publishingRules, subscribe: viewingRules };

/** Gathers what the rules look at, asks them, and on a yes makes the grant. The one door for every way in. */
export class Admission {
  readonly #tokens: TokenSource;
  readonly #streams: StreamRegistry;
  readonly #now: () => number;
  readonly #onRefused: (request: AccessRequest, reason: Reason) => void;

  constructor({ tokens, streams, now, onRefused }: AdmissionParts) {
    this.#tokens = tokens;
    this.#streams = streams;
    this.#now = now;
    this.#onRefused = onRefused;
  }

  /** Decides, and on a yes writes down what a yes costs: a place among the token's bound addresses. */
  async admit(kind: TokenKind, application: Application): Promise<Admitted> {
    const looking = this.#tokens.freshen?.(application.token);
    if (looking) await looking;
    const { request, place } = this.#gather(kind, application);
    const verdict = decide(RULES[kind], request);
    if (!verdict.allowed) return this.#refuse(request, verdict.reason, place?.freeInMs);

    const { token, accountId, streamName, origin = null, address } = request;
    // Only the store can tell who of two took the last place.
    if (token && needsPlace(token, address) && (await this.#tokens.bindAddress(token.id, address)) === 'full') {
      return this.#refuse(request, 'address_not_bound');
    }
    const grant: Grant = {
      role: kind === 'publish' ? 'Publish' : 'Subscribe',
      accountId,
      streamName,
      sessionId: randomUUID().replaceAll('-', ''),
      tokenId: token?.id ?? null,
      tokenPrint: token?.print ?? null,
      signedUntil: token?.signedUntil ?? null,
      origin,
      address,
      resumes: place?.resumes ?? null,
    };
    return { admitted: true, token, grant };
  }

  /** Everything the rules look at, as it is now, for whoever wants to know what they would say. */
  requestFor(kind: TokenKind, application: Application): AccessRequest {
    return this.#gather(kind, application).request;
  }

  /**
   * Decides again for somebody who was admitted, by what his token says now. He is in already: that the stream has
   * not begun, or that he has its name, counts for nothing.
   */
  recheck(grant: Grant): Verdict {
    const { role, accountId, streamName, tokenId, origin, address } = grant;
    const kind = role === 'Publish' ? 'publish' : 'subscribe';
    const found = tokenId === null ? undefined : this.#tokens.findById(tokenId);
    const { publishers } = this.#streams.stateOf(streamIdOf(accountId, streamName));
    const request: AccessRequest = {
      kind,
      now: this.#now(),
      accountId,
      streamName,
      presented: tokenId !== null,
      token: found && asPresented(found, grant),
      origin: origin ?? undefined,
      address,
      stream: { live: true, taken: false, requiresToken: this.#requireToken(publishers) },
    };
    const verdict = decide(RULES[kind], request);
    if (!verdict.allowed) this.#onRefused(request, verdict.reason);
    return verdict;
  }

  #refuse(request: AccessRequest, reason: Reason, retryInMs?: number): Admitted {
    this.#onRefused(request, reason);
    return { admitted: false, reason, request, retryInMs };
  }

  #gather(kind: TokenKind, application: Application): { request: AccessRequest; place: Place | undefined } {
    const { token: value, streamName, origin, address } = application;
    const found = value === undefined ? undefined : this.#tokens.findByValue(value);
    const accountId = application.accountId ?? found?.accountId ?? '';
    const streamId = streamIdOf(accountId, streamName);
    const { live, publishers } = this.#streams.stateOf(streamId);
    const place = kind === 'publish' ? this.#streams.placeOn(streamId, application) : undefined;
    const request: AccessRequest = {
      kind,
      now: this.#now(),
      accountId,
      streamName,
      presented: value !== undefined,
      // A token says nothing about another account's streams.
      token: found?.accountId === accountId ? found : undefined,
      origin,
      address,
      stream: {
        live,
        taken: place?.taken ?? false,
        requiresToken: this.#requireToken(publishers),
      },
    };
    return { request, place };
  }

  /** As the token of any publisher says now; a token that is gone asks for one, to be safe. */
  #requireToken(publishers: StreamState['publishers']): boolean {
    return publishers.some(({ tokenId }) => this.#tokens.findById(tokenId)?.subscribeRequiresAuth ?? true);
  }
}

/** The token as it is now, for whoever came with this value of it; undefined once it has another. */
function asPresented(token: AdmittingToken, { tokenPrint, signedUntil }: Grant): AdmittingToken | undefined {
  if (token.print !== tokenPrint) return undefined;
  if (signedUntil === null) return token;
  return { ...token, signedUntil, expiresOn: Math.min(signedUntil, token.expiresOn ?? Infinity) };
}

function needsPlace({ bindIpsOnUsage, isBoundTo }: AdmittingToken, address: string): boolean {
  return bindIpsOnUsage > 0 && !isBoundTo(address);
}
