import * as z from 'zod/mini';
import { dashboardSession, type DashboardSession } from '../wire/management/dashboard-session.js';
import {
  passkeyRequestOptions,
  type PasskeyRequestOptions,
  type SignedCredential,
} from '../wire/management/passkey.js';
import type { PasswordLogin } from '../wire/management/password.js';
import type { CreateSubscribeTokenInput, UpdateSubscribeTokenInput } from '../wire/management/token.js';
import { ApiKeyCalls } from './api-key-calls.js';
import { ApiSecretCalls } from './api-secret-calls.js';
import { ManagementConnection, type ManagementOptions } from './management-connection.js';
import { LoginCalls } from './login-calls.js';
import { MemberCalls } from './member-calls.js';
import { RecordingCalls } from './recording-calls.js';
import { ScheduleCalls } from './schedule-calls.js';
import { LimitCalls } from './limit-calls.js';
import { ThemeCalls } from './theme-calls.js';
import { OversightCalls } from './oversight-calls.js';
import { PasskeyCalls } from './passkey-calls.js';
import { PasswordCalls } from './password-calls.js';
import { PublishTokenCalls } from './publish-token-calls.js';
import { SessionCalls } from './session-calls.js';
import { StatisticsCalls } from './statistics-calls.js';
import { UpstreamCalls } from './upstream-calls.js';
import { WebhookCalls } from './webhook-calls.js';
import { StreamCalls } from './stream-calls.js';
import { TokenCalls } from './token-calls.js';

const sessionAnswer = z.object({ status: z.literal('success'), data: dashboardSession });
const optionsAnswer = z.object({ status: z.literal('success'), data: passkeyRequestOptions });
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

/**
 * The typed client of the management API. In Node it needs an API secret. On the server's own pages it works without
 * one after a dashboard login. Every call throws {@link ManagementError}; the constructor throws a `TypeError` where the
 * endpoint is not an http or https URL.
 */
export class ManagementClient {
  readonly publishTokens: PublishTokenCalls;
  readonly subscribeTokens: TokenCalls<CreateSubscribeTokenInput, UpdateSubscribeTokenInput>;
  readonly streams: StreamCalls;
  readonly oversight: OversightCalls;
  readonly keys: ApiKeyCalls;
  readonly secret: ApiSecretCalls;
  readonly logins: LoginCalls;
  readonly members: MemberCalls;
  readonly theme: ThemeCalls;
  readonly limits: LimitCalls;
  readonly schedule: ScheduleCalls;
  readonly recordings: RecordingCalls;
  readonly upstreams: UpstreamCalls;
  readonly webhooks: WebhookCalls;
  readonly passkeys: PasskeyCalls;
  readonly password: PasswordCalls;
  readonly sessions: SessionCalls;
  readonly statistics: StatisticsCalls;
  readonly #connection: ManagementConnection;

  constructor(options: ManagementOptions) {
    this.#connection = new ManagementConnection(options);
    this.publishTokens = new PublishTokenCalls(this.#connection);
    this.subscribeTokens = new TokenCalls(this.#connection, '/api/subscribe_token');
    this.streams = new StreamCalls(this.#connection);
    this.oversight = new OversightCalls(this.#connection);
    this.secret = new ApiSecretCalls(this.#connection);
    this.keys = new ApiKeyCalls(this.#connection);
    this.logins = new LoginCalls(this.#connection);
    this.members = new MemberCalls(this.#connection);
    this.theme = new ThemeCalls(this.#connection);
    this.limits = new LimitCalls(this.#connection);
    this.schedule = new ScheduleCalls(this.#connection);
    this.recordings = new RecordingCalls(this.#connection);
    this.upstreams = new UpstreamCalls(this.#connection);
    this.webhooks = new WebhookCalls(this.#connection);
    this.passkeys = new PasskeyCalls(this.#connection);
    this.password = new PasswordCalls(this.#connection);
    this.sessions = new SessionCalls(this.#connection);
    this.statistics = new StatisticsCalls(this.#connection);
  }

  /** Logs the browser in with the one-time code of a login link: the server sets the dashboard cookie. */
  async login(code: string): Promise<DashboardSession> {
    const request = { method: 'POST', path: '/api/dashboard/login', body: { code } } as const;
    return (await this.#connection.call(sessionAnswer, request)).data;
  }

  /** What a browser needs to log in with a passkey (WebAuthn). Its challenge can be answered once, within five minutes. */
  async passkeyOptions(): Promise<PasskeyRequestOptions> {
    const request = { method: 'POST', path: '/api/dashboard/passkey/options' } as const;
    return (await this.#connection.call(optionsAnswer, request)).data;
  }

  /** Logs the browser in with a passkey: the server sets the dashboard cookie. */
  async loginWithPasskey(credential: SignedCredential): Promise<DashboardSession> {
    const request = { method: 'POST', path: '/api/dashboard/passkey', body: { credential } } as const;
    return (await this.#connection.call(sessionAnswer, request)).data;
  }

  /** Logs the browser in with a password and a code of an authenticator app: the server sets the dashboard cookie. */
  async loginWithPassword(fields: PasswordLogin): Promise<DashboardSession> {
    const request = { method: 'POST', path: '/api/dashboard/password', body: fields } as const;
    return (await this.#connection.call(sessionAnswer, request)).data;
  }

  /** Who the browser's cookie stands for. @throws {ManagementError} `login_required`: there is no login */
  async session(): Promise<DashboardSession> {
    return (await this.#connection.call(sessionAnswer, { method: 'GET', path: '/api/dashboard/session' })).data;
  }

  /** Ends the login of the browser. */
  async logout(): Promise<void> {
    await this.#connection.call(doneAnswer, { method: 'POST', path: '/api/dashboard/logout' });
  }
}
