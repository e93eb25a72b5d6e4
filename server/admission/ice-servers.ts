import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** As `RTCPeerConnection` accepts it and the director returns it. */
export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

export interface IceServerSettings {
  readonly stunUrls: readonly string[];
  readonly turnUrls: readonly string[];
  /** The secret that this server shares with its TURN servers. Required if there are any. */
  readonly turnSecret: string | undefined;
  /** The life of a credential. */
  readonly turnTtlS: number;
}

/** The credential of one session for a limited time. It opens the relay and nothing else. */
export interface TurnCredential {
  readonly username: string;
  readonly credential: string;
}

/**
 * A credential of the scheme that coturn calls `use-auth-secret` (draft-uberti-behave-turn-rest-00). The TURN server
 * verifies it with the shared secret. The user name contains the expiry and identifies the session in the TURN log.
 * @param expiresAt seconds since 1970
 */
export function turnCredential(secret: KeyObject, sessionId: string, expiresAt: number): TurnCredential {
  const username = `${expiresAt}:${sessionId}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

/** The STUN and TURN servers that clients use, with separate credentials for each session. */
export class IceServers {
  readonly #stun: readonly IceServer[];
  readonly #turnUrls: readonly string[];
  readonly #secret: KeyObject | undefined;
  readonly #ttlS: number;
  /** The JSON up to the user name, or all of it if there is no TURN server. */
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
   * `forSession` as JSON. It is part of the answer to every viewer, so only the changing part is serialized each time.
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
