import { randomUUID } from 'node:crypto';
import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { AccessRequest } from '../rules/access-request.js';
import { decide, publishingRules, viewingRules } from '../rules/decide.js';
import type { Rule, Verdict } from '../rules/rule.js';
import { streamIdOf, type SourceAvailability, type StreamRegistry } from '../streams/stream-registry.js';
import type { StreamState } from '../streams/stream.js';
import { restrictToken, type CompiledToken } from '../tokens/compiled-token.js';
import type { TokenKind } from '../tokens/token-record.js';
import type { Grant, RequestContext } from './grant.js';

/** What a caller presents when they ask to publish or watch. */
export interface AccessAttempt {
  /** Undefined: the caller presented no token. Empty: the token is unreadable. */
  readonly token: string | undefined;
  /** Required only from callers without a token. */
  readonly accountId: string | undefined;
  readonly streamName: string;
  readonly origin: string | undefined;
  readonly address: string;
  /** Publishers: the key of the session that they lost. */
  readonly sessionKey?: string | undefined;
  /** Publishers: the source that they will publish. Undefined: known only when they publish. */
  readonly sourceId?: string | null | undefined;
}

export type AdmissionResult =
  | { readonly admitted: true; readonly grant: Grant; readonly token: CompiledToken | undefined }
  | {
      readonly admitted: false;
      readonly reason: RuleRefusalCode;
      readonly request: AccessRequest;
      /** When a new attempt may succeed, if that is known. */
      readonly retryInMs: number | undefined;
    };

export type ReadmissionResult =
  { readonly admitted: true; readonly grant: Grant } | { readonly admitted: false; readonly reason: RuleRefusalCode };

/** Finds tokens by the credential that a bearer presents, and by id. */
export interface CredentialSource {
  findByValue(value: string): CompiledToken | undefined;
  findById(id: number): CompiledToken | undefined;
  /**
   * Reads the token that decides about the credential from the database, if the one in memory may be stale.
   * @returns undefined if it is current, so that nobody waits
   * @throws {ApiError} 503 `database_unavailable` or `busy`
   */
  refreshIfStale?(value: string): Promise<void> | undefined;
  /** As `refreshIfStale`, by the id of the token. */
  refreshTokenIfStale?(id: number): Promise<void> | undefined;
}

export interface AddressBindings {
  /** Binds the address to the token unless the token has bound its maximum, in one step on all nodes. */
  bindAddress(tokenId: number, address: string): Promise<'bound' | 'already_bound' | 'full'>;
}

export interface AdmissionOptions {
  readonly credentials: CredentialSource;
  readonly bindings: AddressBindings;
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
 * Gathers what the rules look at, asks them, and makes the grant. Every protocol uses it: `admit` for callers with a
 * token or none, `readmit` for callers with a grant. Both refresh stale tokens, decide, and bind the address.
 */
export class Admission {
  readonly #credentials: CredentialSource;
  readonly #bindings: AddressBindings;
  readonly #streams: StreamRegistry;
  readonly #now: () => number;
  readonly #refusals: RefusalRecorder;

  constructor({ credentials, bindings, streams, now, refusals }: AdmissionOptions) {
    this.#credentials = credentials;
    this.#bindings = bindings;
    this.#streams = streams;
    this.#now = now;
    this.#refusals = refusals;
  }

  /**
   * Decides about a caller. If they are allowed, binds their address and makes a grant.
   * @throws {ApiError} 503 `database_unavailable` or `busy`
   */
  async admit(kind: TokenKind, attempt: AccessAttempt): Promise<AdmissionResult> {
    const { token: value, accountId, streamName } = attempt;
    const refresh =
      value === undefined
        ? this.#refreshPublishers(streamIdOf(accountId ?? '', streamName))
        : this.#credentials.refreshIfStale?.(value);
    if (refresh) await refresh;
    const { request, source } = this.#gather(kind, attempt);
    const verdict = decide(RULES[kind], request);
    if (!verdict.allowed) return this.#refuse(request, verdict.reason, source?.freeInMs);

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
      tokenFingerprint: token?.fingerprint ?? null,
      signed: token?.signed ?? null,
      origin,
      address,
      resumes: source?.resumes ?? null,
    };
    return { admitted: true, token, grant };
  }

  /**
   * Decides about a caller who brings a grant: from the director, for the websocket, or from a resume token. Uses the
   * token as it is now, and the context of this request: a phone may have a new address since the grant was made, and
   * a grant may have been handed to somebody else.
   * @throws {ApiError} 503 `database_unavailable` or `busy`
   */
  async readmit(before: Grant, context: RequestContext): Promise<ReadmissionResult> {
    const { tokenId } = before;
    const refresh = tokenId === null ? this.#refreshPublishers(grantStreamId(before)) : this.#refreshToken(tokenId);
    if (refresh) await refresh;
    const grant: Grant = { ...before, ...context };
    const request = this.#requestOfGrant(grant);
    const verdict = decide(RULES[request.kind], request);
    if (!verdict.allowed) return this.#refuse(request, verdict.reason);
    const { token, address } = request;
    if (token && needsBinding(token, address) && !(await this.#bind(token, address))) {
      return this.#refuse(request, 'address_not_bound');
    }
    return { admitted: true, grant };
  }

  /** Everything that the rules would look at now. Decides nothing. */
  requestFor(kind: TokenKind, attempt: AccessAttempt): AccessRequest {
    return this.#gather(kind, attempt).request;
  }

  /** Decides again about an open session. Ignores whether the stream is live and whether the name is in use. */
  recheck(grant: Grant): Verdict {
    const request = this.#requestOfGrant(grant);
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

  /** Only the store can tell which of two callers got the last binding. */
  async #bind({ id }: CompiledToken, address: string): Promise<boolean> {
    return (await this.#bindings.bindAddress(id, address)) !== 'full';
  }

  #refreshToken(tokenId: number): Promise<void> | undefined {
    return this.#credentials.refreshTokenIfStale?.(tokenId);
  }

  /** The tokens of the publishers decide whether a viewer needs a token. */
  #refreshPublishers(streamId: string): Promise<unknown> | undefined {
    let refreshes: Promise<void>[] | undefined;
    for (const { tokenId } of this.#streams.stateOf(streamId).publishers) {
      const refresh = this.#refreshToken(tokenId);
      if (refresh) (refreshes ??= []).push(refresh);
    }
    return refreshes && Promise.all(refreshes);
  }

  #requestOfGrant(grant: Grant): AccessRequest {
    const { role, accountId, streamName, tokenId, origin, address } = grant;
    const found = tokenId === null ? undefined : this.#credentials.findById(tokenId);
    const { publishers } = this.#streams.stateOf(grantStreamId(grant));
    return {
      kind: role === 'Publish' ? 'publish' : 'subscribe',
      now: this.#now(),
      accountId,
      streamName,
      presented: tokenId !== null,
      token: found && tokenOfGrant(found, grant),
      origin: origin ?? undefined,
      address,
      stream: { live: true, taken: false, requiresToken: this.#requiresToken(publishers) },
    };
  }

  #gather(kind: TokenKind, attempt: AccessAttempt): { request: AccessRequest; source: SourceAvailability | undefined } {
    const { token: value, streamName, origin, address } = attempt;
    const found = value === undefined ? undefined : this.#credentials.findByValue(value);
    const accountId = attempt.accountId ?? found?.accountId ?? '';
    const streamId = streamIdOf(accountId, streamName);
    const { live, publishers } = this.#streams.stateOf(streamId);
    const source = kind === 'publish' ? this.#streams.sourceAvailability(streamId, attempt) : undefined;
    const request: AccessRequest = {
      kind,
      now: this.#now(),
      accountId,
      streamName,
      presented: value !== undefined,
      // A token of another account counts as unknown.
      token: found?.accountId === accountId ? found : undefined,
      origin,
      address,
      stream: {
        live,
        taken: source?.taken ?? false,
        requiresToken: this.#requiresToken(publishers),
      },
    };
    return { request, source };
  }

  /** Whether the present token of any publisher requires it. A deleted token does, to be safe. */
  #requiresToken(publishers: StreamState['publishers']): boolean {
    return publishers.some(({ tokenId }) => this.#credentials.findById(tokenId)?.subscribeRequiresAuth ?? true);
  }
}

/** The present token of the grant with the restrictions of the grant; undefined after its value was refreshed. */
function tokenOfGrant(
  token: CompiledToken,
  { tokenFingerprint, signed, streamName }: Grant,
): CompiledToken | undefined {
  if (token.fingerprint !== tokenFingerprint) return undefined;
  return signed ? restrictToken(signed, streamName, token) : token;
}

function needsBinding({ bindIpsOnUsage, isBoundTo }: CompiledToken, address: string): boolean {
  return bindIpsOnUsage > 0 && !isBoundTo(address);
}

function grantStreamId({ accountId, streamName }: Grant): string {
  return streamIdOf(accountId, streamName);
}
