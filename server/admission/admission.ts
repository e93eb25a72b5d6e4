import { randomUUID } from 'node:crypto';
import type { Reason } from '../../src/wire/reason.js';
import { decide, publishingRules, viewingRules } from '../rules/decide.js';
import type { AccessRequest, AdmittingToken, Rule } from '../rules/access-request.js';
import { streamIdOf, type StreamRegistry } from '../streams/stream-registry.js';
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
}

export type Admitted =
  | { readonly admitted: true; readonly grant: Grant; readonly token: AdmittingToken | undefined }
  | { readonly admitted: false; readonly reason: Reason; readonly accountId: string };

/** Where tokens are found by what their bearer presents, and by their id. */
export interface TokenLookup {
  findByValue(value: string): AdmittingToken | undefined;
  findById(id: number): AdmittingToken | undefined;
}

/** Gathers what the rules look at, asks them, and on a yes makes the grant. The one door for every way in. */
export class Admission {
  readonly #tokens: TokenLookup;
  readonly #streams: StreamRegistry;
  readonly #now: () => number;

  constructor(tokens: TokenLookup, streams: StreamRegistry, now: () => number) {
    this.#tokens = tokens;
    this.#streams = streams;
    this.#now = now;
  }

  view(application: Application): Admitted {
    return this.#admit('subscribe', viewingRules, application);
  }

  publish(application: Application): Admitted {
    return this.#admit('publish', publishingRules, application);
  }

  #admit(kind: TokenKind, rules: readonly Rule[], application: Application): Admitted {
    const { token: value, streamName, sessionKey, origin, address } = application;
    const found = value === undefined ? undefined : this.#tokens.findByValue(value);
    const accountId = application.accountId ?? found?.accountId ?? '';
    // A token says nothing about another account's streams.
    const token = found?.accountId === accountId ? found : undefined;

    const stream = this.#streams.stateOf(streamIdOf(accountId, streamName));
    const resumes =
      sessionKey !== undefined && stream.publisher?.sessionKey === sessionKey ? stream.publisher.id : null;
    const request: AccessRequest = {
      kind,
      now: this.#now(),
      accountId,
      streamName,
      presented: value !== undefined,
      token,
      origin,
      address,
      stream: {
        live: stream.live,
        taken: stream.publisher !== undefined && resumes === null,
        requiresToken: this.#requiresToken(stream.publisher?.tokenId),
      },
    };

    const verdict = decide(rules, request);
    if (!verdict.allowed) return { admitted: false, reason: verdict.reason, accountId };
    const role = kind === 'publish' ? 'Publish' : 'Subscribe';
    const sessionId = randomUUID().replaceAll('-', '');
    return {
      admitted: true,
      token,
      grant: { role, accountId, streamName, sessionId, tokenId: token?.id ?? null, resumes },
    };
  }

  /** As the live publisher's token says now; a token that is gone asks for one, to be safe. */
  #requiresToken(tokenId: number | undefined): boolean {
    if (tokenId === undefined) return false;
    return this.#tokens.findById(tokenId)?.subscribeRequiresAuth ?? true;
  }
}
