import type { CountrySource } from './country-source.js';
import type { AccessRequest, AccountRoom, ViewingsAhead } from '../rules/access-request.js';
import type { SourceAvailability } from '../streams/source-availability.js';
import { streamIdOf, type StreamId } from '../streams/stream-id.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import { limitsSessions, restrictToken, type CompiledToken } from '../tokens/compiled-token.js';
import type { TokenKind } from '../tokens/token-record.js';
import type { Grant } from './grant.js';
import type { ViewingCounts } from './token-viewings.js';

/** What a caller presents when they ask to publish or watch. */
export interface AccessAttempt {
  /** Undefined: the caller presented no token. Empty: the token is unreadable. */
  readonly token: string | undefined;
  /** Required only from callers without a token. */
  readonly accountId: string | undefined;
  readonly streamName: string;
  readonly origin: string | undefined;
  readonly address: string;
  /** The protocol, if rules depend on it. */
  readonly via?: AccessRequest['via'];
  /** Publishers: the key of the session that they lost. */
  readonly sessionKey?: string | undefined;
  /** Publishers: the source that they will publish. Undefined: known only when they publish. */
  readonly sourceId?: string | null | undefined;
  /** Viewers of a recording: as of `Grant`. */
  readonly recordedWith?: Grant['recordedWith'];
}

/** Finds tokens by the credential that a bearer presents, and by id. */
export interface CredentialSource {
  findByValue(value: string): CompiledToken | undefined;
  findById(id: number): CompiledToken | undefined;
  /** Whether viewers need a token when the stream is live, from the publish tokens that there are. */
  protects(accountId: string, streamName: string): boolean;
  /**
   * Reads the token that decides about the credential from the database, if the one in memory may be stale.
   * @returns undefined, without a wait, if it is current
   * @throws {ApiError} 503 `database_unavailable` or `busy`
   */
  refreshIfStale?(value: string, from: string): Promise<void> | undefined;
  /** As `refreshIfStale`, by the id of the token. */
  refreshTokenIfStale?(id: number): Promise<void> | undefined;
}

export interface AccessRequestFactoryOptions {
  readonly credentials: CredentialSource;
  readonly streams: StreamRegistry;
  readonly viewings: ViewingCounts;
  readonly countries: CountrySource;
  /** Absent: no account has a limit. */
  readonly accounts?: AccountRooms;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What accounts have for one more session. */
export interface AccountRooms {
  /** @param replaces sessions that end when the new one begins */
  roomFor(accountId: string, replaces: readonly (string | null)[]): AccountRoom;
}

const NO_LIMIT: AccountRoom = Object.freeze({ maxSessions: null, sessions: 0 });
const NO_LIMITS: AccountRooms = { roomFor: () => NO_LIMIT };

const NONE_AHEAD: ViewingsAhead = Object.freeze({ ofToken: 0, ofSigned: 0 });

/** Collects what the rules look at. Refresh first: afterwards the tokens in memory are current. Decides nothing. */
export class AccessRequestFactory {
  readonly #credentials: CredentialSource;
  readonly #streams: StreamRegistry;
  readonly #viewings: ViewingCounts;
  readonly #countries: CountrySource;
  readonly #accounts: AccountRooms;
  readonly #now: () => number;

  constructor({ credentials, streams, viewings, countries, accounts = NO_LIMITS, now }: AccessRequestFactoryOptions) {
    this.#credentials = credentials;
    this.#streams = streams;
    this.#viewings = viewings;
    this.#countries = countries;
    this.#accounts = accounts;
    this.#now = now;
  }

  /**
   * Reads the tokens that decide about the attempt, and the stream, from the database, where those in memory may be
   * stale.
   * @returns undefined, without a wait, if all are current
   * @throws {ApiError} 503 `database_unavailable` or `busy`
   */
  refreshForAttempt(attempt: AccessAttempt): Promise<unknown> | undefined {
    const { token, address } = attempt;
    if (token !== undefined) {
      const refresh = this.#credentials.refreshIfStale?.(token, address);
      return refresh ? refresh.then(() => this.#refreshStream(attempt)) : this.#refreshStream(attempt);
    }
    const refresh = this.#refreshStream(attempt);
    const publishers = () => this.#refreshPublishers(this.#publishersOf(this.#streamOf(attempt), attempt));
    return refresh ? refresh.then(publishers) : publishers();
  }

  #refreshStream(attempt: AccessAttempt): Promise<void> | undefined {
    const stream = this.#streamOf(attempt);
    return stream && this.#streams.refreshIfStale(stream);
  }

  /** Undefined: neither the request nor the token names an account. */
  #streamOf({ token, accountId, streamName }: AccessAttempt): StreamId | undefined {
    const account = accountId ?? (token === undefined ? undefined : this.#credentials.findByValue(token)?.accountId);
    return account === undefined ? undefined : streamIdOf(account, streamName);
  }

  /** As `refreshForAttempt`, for a caller who brings a grant. */
  refreshForGrant(grant: Grant): Promise<unknown> | undefined {
    if (grant.tokenId !== null) return this.#refreshToken(grant.tokenId);
    return this.#refreshPublishers(this.#publishersOf(grantStreamId(grant), grant));
  }

  /** The request of a caller. `source` is what a publisher asks for. */
  ofAttempt(
    kind: TokenKind,
    attempt: AccessAttempt,
  ): { request: AccessRequest; source: SourceAvailability | undefined } {
    const { token: value, streamName, origin, address, via } = attempt;
    const found = value === undefined ? undefined : this.#credentials.findByValue(value);
    const accountId = attempt.accountId ?? found?.accountId ?? '';
    const stream = this.#streamOf(attempt);
    const source = kind === 'publish' && stream ? this.#streams.sourceAvailability(stream, attempt) : undefined;
    // A token of another account counts as unknown.
    const token = found?.accountId === accountId ? found : undefined;
    const request: AccessRequest = {
      kind,
      via,
      now: this.#now(),
      accountId,
      streamName,
      presented: value !== undefined,
      token,
      origin,
      address,
      country: this.#countryOf(address, token),
      viewingsAhead: this.#viewingsAhead(token),
      account: this.#roomFor(accountId, attempt, [source?.resumes ?? null]),
      stream: { taken: source?.taken ?? false, ...this.#shownTo(attempt, accountId, stream) },
    };
    return { request, source };
  }

  /**
   * The request of a caller with a grant, or of an open session: with the token as it is now.
   * @param isNew the grant opens a session now
   */
  ofGrant(grant: Grant, isNew = false): AccessRequest {
    const { role, accountId, streamName, tokenId, origin, address, via } = grant;
    const found = tokenId === null ? undefined : this.#credentials.findById(tokenId);
    const publishers = this.#publishersOf(grantStreamId(grant), grant);
    const token = found && tokenOfGrant(found, grant);
    return {
      kind: role === 'Publish' ? 'publish' : 'subscribe',
      via,
      now: this.#now(),
      accountId,
      streamName,
      presented: tokenId !== null,
      token,
      origin: origin ?? undefined,
      address,
      country: this.#countryOf(address, token),
      viewingsAhead: this.#viewingsAhead(token, grant),
      account: isNew ? this.#roomFor(accountId, grant, [grant.sessionId, grant.resumes]) : NO_LIMIT,
      stream: { live: true, taken: false, requiresToken: this.#requiresToken(publishers) },
    };
  }

  /**
   * What viewers without a token may know of a stream: one that requires a token is not live for them, and the end of a
   * broadcast is known to those who could watch it.
   */
  shownToGuests(accountId: string, streamName: string): ShownToGuests {
    const streamId = streamIdOf(accountId, streamName);
    const shown = this.#shownTo({ token: undefined, streamName }, accountId, streamId);
    const end = shown.live || shown.requiresToken ? undefined : this.#streams.endOf(streamId);
    return end && !this.#requiresToken([end]) ? { ...shown, endedOn: end.endedOn } : shown;
  }

  /**
   * The state of the stream, as the caller may know it. To one without a token, a stream that requires one is the same
   * live and not: it requires one by its publish tokens, or is not live.
   */
  #shownTo(
    attempt: Pick<AccessAttempt, 'token' | 'streamName' | 'recordedWith'>,
    accountId: string,
    stream: StreamId | undefined,
  ): Pick<AccessRequest['stream'], 'live' | 'requiresToken'> {
    const requiresToken = this.#requiresToken(this.#publishersOf(stream, attempt));
    if (attempt.recordedWith !== undefined) return { live: true, requiresToken };
    const live = stream !== undefined && this.#streams.stateOf(stream).live;
    if (attempt.token !== undefined || (live && !requiresToken)) return { live, requiresToken };
    return { live: false, requiresToken: this.#credentials.protects(accountId, attempt.streamName) };
  }

  #roomFor(
    accountId: string,
    { recordedWith }: Pick<Grant, 'recordedWith'>,
    replaces: readonly (string | null)[],
  ): AccountRoom {
    return recordedWith === undefined ? this.#accounts.roomFor(accountId, replaces) : NO_LIMIT;
  }

  /** Most tokens are for every country, and need no search. */
  #countryOf(address: string, token: CompiledToken | undefined): string | undefined {
    const isRestricted = token && (token.allowedCountries.length > 0 || token.deniedCountries.length > 0);
    return isRestricted ? this.#countries.countryOf(address) : undefined;
  }

  /** Most tokens have no limit, and need no count. */
  #viewingsAhead(token: CompiledToken | undefined, grant?: Grant): ViewingsAhead {
    return token && limitsSessions(token) ? this.#viewings.ahead(token, grant) : NONE_AHEAD;
  }

  #refreshToken(tokenId: number): Promise<void> | undefined {
    return this.#credentials.refreshTokenIfStale?.(tokenId);
  }

  /** The tokens of the publishers decide whether a viewer needs a token. */
  #refreshPublishers(publishers: readonly PublishedWith[]): Promise<unknown> | undefined {
    const refreshes = publishers.flatMap(({ tokenId }) =>
      tokenId === null ? [] : (this.#refreshToken(tokenId) ?? []),
    );
    return refreshes.length > 0 ? Promise.all(refreshes) : undefined;
  }

  /** Whether the present token of any publisher requires it. A deleted token does, to be safe. */
  #requiresToken(publishers: readonly PublishedWith[]): boolean {
    const tokenOf = ({ tokenId }: PublishedWith) =>
      tokenId === null ? undefined : this.#credentials.findById(tokenId);
    return publishers.some((publisher) => tokenOf(publisher)?.subscribeRequiresAuth ?? true);
  }

  /** Of a recording: the publisher that was recorded, who may be gone. Else those of the stream. */
  #publishersOf(stream: StreamId | undefined, { recordedWith }: Pick<Grant, 'recordedWith'>): readonly PublishedWith[] {
    if (recordedWith !== undefined) return [{ tokenId: recordedWith }];
    return stream === undefined ? [] : this.#streams.stateOf(stream).publishers;
  }
}

/** See `shownToGuests`. */
export interface ShownToGuests extends Pick<AccessRequest['stream'], 'live' | 'requiresToken'> {
  /** When its last broadcast was meant to end, in milliseconds since 1970. Undefined: nobody is to know of an end. */
  readonly endedOn?: number;
}

/** A publisher, by its token. Null: the token is deleted. */
interface PublishedWith {
  readonly tokenId: number | null;
}

/** The present token of the grant with the restrictions of the grant; undefined after its value was refreshed. */
function tokenOfGrant(
  token: CompiledToken,
  { tokenFingerprint, signed, streamName }: Grant,
): CompiledToken | undefined {
  if (token.fingerprint !== tokenFingerprint) return undefined;
  return signed ? restrictToken(signed, streamName, token) : token;
}

function grantStreamId({ accountId, streamName }: Grant): StreamId {
  return streamIdOf(accountId, streamName);
}
