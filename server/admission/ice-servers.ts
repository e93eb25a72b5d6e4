import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** As `RTCPeerConnection` takes it, and as the director hands it out (wire-facts 2.2). */
export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

export interface IceServerSettings {
  readonly stunUrls: readonly string[];
  readonly turnUrls: readonly string[];
  /** What the TURN servers were given as theirs, too. Needed where there are any. */
  readonly turnSecret: string | undefined;
  /** How long a credential is good for. */
  readonly turnTtlS: number;
}

/** Of one session, for a time: it opens the relay, and nothing of ours. */
export interface TurnCredential {
  readonly username: string;
  readonly credential: string;
}

/**
 * A credential by the scheme that coturn calls `use-auth-secret` (draft-uberti-behave-turn-rest-00): the server can
 * tell by the secret alone that we made it, and by the name when it ends. The name says whose it is, in its log.
 * @param expiresAt seconds since 1970
 */
export function turnCredential(secret: KeyObject, sessionId: string, expiresAt: number): TurnCredential {
  const username = `${expiresAt}:${sessionId}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

/** The STUN and TURN servers that sessions are told of, each with credentials of its own. */
export class IceServers {
  readonly #stun: readonly IceServer[];
  readonly #turnUrls: readonly string[];
  readonly #secret: KeyObject | undefined;
  readonly #ttlS: number;
  /** The JSON up to the name, or all of it where there is no TURN server. */
  readonly #json: string;

  constructor({ stunUrls, turnUrls, turnSecret, turnTtlS }: IceServerSettings) {
    this.#stun = stunUrls.length > 0 ? [{ urls: stunUrls }] : [];
    this.#turnUrls = turnUrls;
    this.#secret = turnUrls.length > 0 && turnSecret ? createSecretKey(turnSecret, 'utf8') : undefined;
    this.#ttlS = turnTtlS;
    const stun = JSON.stringify(this.#stun);
    const more = this.#stun.length > 0 ? `${stun.slice(0, -1)},` : '[';
    this.#json = this.#secret ? `${more}{"urls":${JSON.stringify(turnUrls)},"username":"` : stun;
  }

  /** @param now milliseconds since 1970 */
  forSession(sessionId: string, now: number): readonly IceServer[] {
    if (!this.#secret) return this.#stun;
    return [...this.#stun, { urls: this.#turnUrls, ...turnCredential(this.#secret, sessionId, this.#expiry(now)) }];
  }

  /**
   * The same as JSON. Every viewer's call is answered with it, so only what differs is written each time.
   * @param sessionId hex digits, which need no escaping
   * @param now milliseconds since 1970
   */
  json(sessionId: string, now: number): string {
    if (!this.#secret) return this.#json;
    const { username, credential } = turnCredential(this.#secret, sessionId, this.#expiry(now));
    return `${this.#json}${username}","credential":"${credential}"}]`;
  }

  #expiry(now: number): number {
    return Math.floor(now / 1000) + this.#ttlS;
  }
}
