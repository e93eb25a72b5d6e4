import { randomUUID } from 'node:crypto';
import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { decide, publishingRules, viewingRules } from '../rules/decide.js';
import type { AccessRequest, CompiledToken, Rule } from '../rules/access-request.js';
import { streamIdOf, type SourceAvailability, type StreamRegistry } from '../streams/stream-registry.js';
import type { StreamState } from '../streams/stream.js';
import type { Verdict } from '../rules/verdict.js';
import { restrictedBy } from '../tokens/compiled-token.js';
import type { TokenKind } from '../tokens/token-record.js';
import type { Grant, RequestContext } from './grant.js';

/** What a caller says of himself. */
export interface AccessAttempt {
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

export type AdmissionResult =
  | { readonly admitted: true; readonly grant: Grant; readonly token: CompiledToken | undefined }
  | {
      readonly admitted: false;
      readonly reason: RuleRefusalCode;
      readonly request: AccessRequest;
      /** How soon asking again may help, where that is known. */
      readonly retryInMs: number | undefined;
    };

export type ReadmissionResult =
  { readonly admitted: true; readonly grant: Grant } | { readonly admitted: false; readonly reason: RuleRefusalCode };

/** Where tokens are found by what their bearer presents, and by their id; and where an address is bound to one. */
export interface TokenSource {
  findByValue(value: string): CompiledToken | undefined;
  findById(id: number): CompiledToken | undefined;
  /** Takes a place for the address if there is one, in one step and on every node. */
  bindAddress(tokenId: number, address: string): Promise<'bound' | 'already_bound' | 'full'>;
  /**
   * Reads the token that decides about `value` from the database where the one in memory may be out of date. Undefined
   * where it is not, so that nobody waits.
   * @throws {ApiError} 503 `database_unavailable` or `busy`
   */
  refreshIfStale?(value: string): Promise<void> | undefined;
  /** The same, by the id of the token. */
  refreshTokenIfStale?(id: number): Promise<void> | undefined;
}

export interface AdmissionParts {
  readonly tokens: TokenSource;
  readonly streams: StreamRegistry;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly refusals: RefusalRecorder;
}

/** Records every refusal, of a new client and of an open session. Must return fast. */
export interface RefusalRecorder {
  refused(request: AccessRequest, code: RuleRefusalCode): void;
}

const RULES: Readonly<Record<TokenKind, readonly Rule[]>> = { publish: publishingRules, subscribe: viewingRules };

/**
 * Gathers what the rules look at, asks them, and on a yes makes the grant. Every way in goes through it: with a token
 * by `admit`, with a grant that is redeemed or resumed by `readmit`. Both refresh what may be stale, decide, and bind.
 */
export class Admission {
  readonly #tokens: TokenSource;
  readonly #streams: StreamRegistry;
  readonly #now: () => number;
  readonly #refusals: RefusalRecorder;

  constructor({ tokens, streams, now, refusals }: AdmissionParts) {
    this.#tokens = tokens;
    this.#streams = streams;
    this.#now = now;
    this.#refusals = refusals;
  }

  /** Decides, and on a yes writes down what a yes costs: a place among the token's bound addresses. */
  async admit(kind: TokenKind, application: AccessAttempt): Promise<AdmissionResult> {
    const { token: value, accountId, streamName } = application;
    const stale =
      value === undefined
        ? this.#refreshPublishers(streamIdOf(accountId ?? '', streamName))
        : this.#tokens.refreshIfStale?.(value);
    if (stale) await stale;
    const { request, place } = this.#gather(kind, application);
    const verdict = decide(RULES[kind], request);
    if (!verdict.allowed) return this.#refuse(request, verdict.reason, place?.freeInMs);

    const { token, origin = null, address } = request;
    if (token && needsBinding(token, address) && !(await this.#bind(token, address))) {
      return this.#refuse(request, 'address_not_bound');
    }
    const grant: Grant = {
      role: kind === 'publish' ? 'Publish' : 'Subscribe',
      accountId: request.accountId,
      streamName,
      sessionId: randomUUID().replaceAll('-', ''),
      tokenId: token?.id ?? null,
      tokenPrint: token?.fingerprint ?? null,
      signed: token?.signed ?? null,
      origin,
      address,
      resumes: place?.resumes ?? null,
    };
    return { admitted: true, token, grant };
  }

  /**
   * Decides for somebody who brings a grant instead of a token: to open the websocket that the director promised, or
   * to come back with a resume token. The token counts as it is now, and so does the place the caller is at now: a
   * phone may have changed its address since the grant was made, and a grant may have been handed on.
   * @throws {ApiError} 503 `database_unavailable`
   */
  async readmit(before: Grant, place: RequestContext): Promise<ReadmissionResult> {
    const { tokenId } = before;
    const stale = tokenId === null ? this.#refreshPublishers(streamOf(before)) : this.#refreshToken(tokenId);
    if (stale) await stale;
    const grant: Grant = { ...before, ...place };
    const request = this.#requestAgain(grant);
    const verdict = decide(RULES[request.kind], request);
    if (!verdict.allowed) return this.#refuse(request, verdict.reason);
    const { token, address } = request;
    if (token && needsBinding(token, address) && !(await this.#bind(token, address))) {
      return this.#refuse(request, 'address_not_bound');
    }
    return { admitted: true, grant };
  }

  /** Everything the rules look at, as it is now, for whoever wants to know what they would say. */
  requestFor(kind: TokenKind, application: AccessAttempt): AccessRequest {
    return this.#gather(kind, application).request;
  }

  /**
   * Decides again for a session that is open. That the stream has not begun, or that the session has its name, counts
   * for nothing.
   */
  recheck(grant: Grant): Verdict {
    const request = this.#requestAgain(grant);
    const verdict = decide(RULES[request.kind], request);
    if (!verdict.allowed) this.#refusals.refused(request, verdict.reason);
    return verdict;
  }

  #refuse(
    request: AccessRequest,
    reason: RuleRefusalCode,
    retryInMs?: number,
  ): Extract<AdmissionResult, { admitted: false }> {
    this.#refusals.refused(request, reason);
    return { admitted: false, reason, request, retryInMs };
  }

  /** Only the store can tell which of two callers took the last place. */
  async #bind({ id }: CompiledToken, address: string): Promise<boolean> {
    return (await this.#tokens.bindAddress(id, address)) !== 'full';
  }

  #refreshToken(tokenId: number): Promise<void> | undefined {
    return this.#tokens.refreshTokenIfStale?.(tokenId);
  }

  /** Whether a viewer needs a token is decided by the publishers' tokens. */
  #refreshPublishers(streamId: string): Promise<unknown> | undefined {
    let stale: Promise<void>[] | undefined;
    for (const { tokenId } of this.#streams.stateOf(streamId).publishers) {
      const refresh = this.#refreshToken(tokenId);
      if (refresh) (stale ??= []).push(refresh);
    }
    return stale && Promise.all(stale);
  }

  #requestAgain(grant: Grant): AccessRequest {
    const { role, accountId, streamName, tokenId, origin, address } = grant;
    const found = tokenId === null ? undefined : this.#tokens.findById(tokenId);
    const { publishers } = this.#streams.stateOf(streamOf(grant));
    return {
      kind: role === 'Publish' ? 'publish' : 'subscribe',
      now: this.#now(),
      accountId,
      streamName,
      presented: tokenId !== null,
      token: found && asPresented(found, grant),
      origin: origin ?? undefined,
      address,
      stream: { live: true, taken: false, requiresToken: this.#requireToken(publishers) },
    };
  }

  #gather(
    kind: TokenKind,
    application: AccessAttempt,
  ): { request: AccessRequest; place: SourceAvailability | undefined } {
    const { token: value, streamName, origin, address } = application;
    const found = value === undefined ? undefined : this.#tokens.findByValue(value);
    const accountId = application.accountId ?? found?.accountId ?? '';
    const streamId = streamIdOf(accountId, streamName);
    const { live, publishers } = this.#streams.stateOf(streamId);
    const place = kind === 'publish' ? this.#streams.sourceAvailability(streamId, application) : undefined;
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

/** The token as it is now, for a session that came with this value of it; undefined once it has another. */
function asPresented(token: CompiledToken, { tokenPrint, signed, streamName }: Grant): CompiledToken | undefined {
  if (token.fingerprint !== tokenPrint) return undefined;
  return signed ? restrictedBy(signed, streamName, token) : token;
}

function needsBinding({ bindIpsOnUsage, isBoundTo }: CompiledToken, address: string): boolean {
  return bindIpsOnUsage > 0 && !isBoundTo(address);
}

function streamOf({ accountId, streamName }: Grant): string {
  return streamIdOf(accountId, streamName);
}
