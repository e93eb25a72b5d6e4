import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { AccessRequest } from '../rules/access-request.js';
import { decide, rulesFor } from '../rules/decide.js';
import { ALLOW, type Verdict } from '../rules/rule.js';
import type { SourceAvailability } from '../streams/source-availability.js';
import { limitsSessions, type CompiledToken } from '../tokens/compiled-token.js';
import type { TokenKind } from '../tokens/token-record.js';
import {
  AccessRequestFactory,
  type AccessAttempt,
  type AccessRequestFactoryOptions,
} from './access-request-factory.js';
import type { Grant, RequestContext } from './grant.js';
import { newSessionId } from './session-id.js';

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

export interface AddressBindings {
  /** Binds the address to the token unless the token has bound its maximum, in one step on all nodes. */
  bindAddress(tokenId: number, address: string): Promise<'bound' | 'already_bound' | 'full'>;
}

export interface AdmissionOptions extends AccessRequestFactoryOptions {
  readonly bindings: AddressBindings;
  readonly refusals: RefusalRecorder;
  /** A caller was admitted, with a token, none or a grant. Must return fast. */
  readonly onAdmitted?: ((kind: TokenKind) => void) | undefined;
}

/** Records every refusal, of a new client and of an open session. Must return fast. */
export interface RefusalRecorder {
  refused(request: AccessRequest, code: RuleRefusalCode): void;
}

/**
 * Asks the rules about a caller and makes the grant. Every protocol uses it: `admit` for callers with a token or none,
 * `readmit` for callers with a grant. Both refresh stale tokens, decide, and bind the address.
 */
export class Admission {
  readonly #requests: AccessRequestFactory;
  readonly #bindings: AddressBindings;
  readonly #refusals: RefusalRecorder;
  readonly #onAdmitted: (kind: TokenKind) => void;

  constructor({ bindings, refusals, onAdmitted = () => {}, ...sources }: AdmissionOptions) {
    this.#requests = new AccessRequestFactory(sources);
    this.#bindings = bindings;
    this.#refusals = refusals;
    this.#onAdmitted = onAdmitted;
  }

  /**
   * Decides about a caller. If they are allowed, binds their address and makes a grant.
   * @returns no promise if there is nothing to wait for: most viewers of a crowd are decided about in one go
   * @throws {ApiError} 503 `database_unavailable` or `busy`, as a rejection
   */
  admit(kind: TokenKind, attempt: AccessAttempt): AdmissionResult | Promise<AdmissionResult> {
    const refresh = this.#requests.refreshForAttempt(attempt);
    return refresh ? refresh.then(() => this.#decide(kind, attempt)) : this.#decide(kind, attempt);
  }

  #decide(kind: TokenKind, attempt: AccessAttempt): AdmissionResult | Promise<AdmissionResult> {
    const { request, source } = this.#requests.ofAttempt(kind, attempt);
    const verdict = decide(rulesFor(request), request);
    if (!verdict.allowed) return this.#refuse(request, verdict.reason, source?.freeInMs);

    const { token, address } = request;
    if (!token || !needsBinding(token, request)) return this.#allow(request, source);
    return this.#bind(token, address).then((isBound) =>
      isBound ? this.#allow(request, source) : this.#refuse(request, 'address_not_bound'),
    );
  }

  #allow(request: AccessRequest, source: SourceAvailability | undefined): AdmissionResult {
    const { kind, token, origin = null, address } = request;
    const grant: Grant = {
      role: kind === 'publish' ? 'Publish' : 'Subscribe',
      accountId: request.accountId,
      streamName: request.streamName,
      sessionId: newSessionId(),
      tokenId: token?.id ?? null,
      tokenFingerprint: token?.fingerprint ?? null,
      signed: token?.signed ?? null,
      origin,
      address,
      resumes: source?.resumes ?? null,
    };
    this.#onAdmitted(kind);
    return { admitted: true, token, grant: request.via ? { ...grant, via: request.via } : grant };
  }

  /**
   * Decides about a publisher who only asks what would apply. Binds no address, makes no grant and records no refusal.
   * A name in use and a full account are no refusals: there may be room when the broadcast begins.
   * @throws {ApiError} 503 `database_unavailable` or `busy`
   */
  async check(attempt: AccessAttempt): Promise<{ readonly request: AccessRequest; readonly verdict: Verdict }> {
    const refresh = this.#requests.refreshForAttempt(attempt);
    if (refresh) await refresh;
    const request = this.requestFor('publish', attempt);
    const verdict = decide(rulesFor(request), request);
    return { request, verdict: isForNow(verdict) ? ALLOW : verdict };
  }

  /**
   * Decides about a caller who brings a grant: from the director, for the websocket, or from a resume token. Uses the
   * token as it is now, and the context of this request: a phone may have a new address since the grant was made, and
   * a grant may have been given to another client.
   * @throws {ApiError} 503 `database_unavailable` or `busy`
   */
  async readmit(before: Grant, context: RequestContext): Promise<ReadmissionResult> {
    const refresh = this.#requests.refreshForGrant(before);
    if (refresh) await refresh;
    const grant: Grant = { ...before, ...context };
    const request = this.#requests.ofGrant(grant, true);
    const verdict = decide(rulesFor(request), request);
    if (!verdict.allowed) return this.#refuse(request, verdict.reason);
    const { token, address } = request;
    if (token && needsBinding(token, request) && !(await this.#bind(token, address))) {
      return this.#refuse(request, 'address_not_bound');
    }
    this.#onAdmitted(request.kind);
    return { admitted: true, grant };
  }

  /** Whether the token of the grant, as it is now, limits how many watch at the same time. */
  limitsSessions(grant: Grant): boolean {
    const { token } = this.#requests.ofGrant(grant);
    return token !== undefined && limitsSessions(token);
  }

  /** See `AccessRequestFactory.shownToGuests`. */
  shownToGuests(accountId: string, streamName: string): ReturnType<AccessRequestFactory['shownToGuests']> {
    return this.#requests.shownToGuests(accountId, streamName);
  }

  /** The request as the rules would read it now. Decides nothing. */
  requestFor(kind: TokenKind, attempt: AccessAttempt): AccessRequest {
    return this.#requests.ofAttempt(kind, attempt).request;
  }

  /** Decides again about an open session. Ignores whether the stream is live and whether the name is in use. */
  recheck(grant: Grant): Verdict {
    const request = this.#requests.ofGrant(grant);
    const verdict = decide(rulesFor(request), request);
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
}

/** Whether only the moment is wrong. */
const isForNow = (verdict: Verdict): boolean =>
  !verdict.allowed && (verdict.reason === 'stream_in_use' || verdict.reason === 'account_full');

function needsBinding({ bindIpsOnUsage, isBoundTo }: CompiledToken, { via, address }: AccessRequest): boolean {
  return via !== 'rtmp' && bindIpsOnUsage > 0 && !isBoundTo(address);
}
