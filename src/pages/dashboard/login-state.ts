import type { ManagementClient } from '../../management/management-client.js';
import type { DashboardSession } from '../../wire/management/dashboard-session.js';
import { ManagementError } from '../../management/management-error.js';
import type { PasskeyRequestOptions, SignedCredential } from '../../wire/management/passkey.js';
import type { PasswordLogin } from '../../wire/management/password.js';
import { PasskeyError } from './passkey.js';

/** The text above the way to log in. */
export type LoginNotice =
  | 'linkUsed'
  | 'loggedOut'
  | 'sessionEnded'
  | 'passkeyCancelled'
  | 'passkeyFailed'
  | 'passkeyUnknown'
  | 'passwordWrong'
  | 'tooManyAttempts'
  | 'unreachable';

/** Whether somebody is logged in. A failure without a message is unexpected. */
export type LoginView =
  | { readonly name: 'loading' }
  | { readonly name: 'logged-out'; readonly notice: LoginNotice | undefined }
  | { readonly name: 'failed'; readonly message: string }
  | ({ readonly name: 'logged-in' } & Pick<
      DashboardSession,
      'accountId' | 'memberName' | 'permissions' | 'rtmp' | 'countries'
    >);

/** The login of the browser. Its session cookie is the credential of every call. */
export class LoginState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: LoginView) => void;

  constructor(client: ManagementClient, onChange: (view: LoginView) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /**
   * Logs in, or continues the session of the browser.
   * @param code of a login link. Empty: the page was opened without one.
   */
  async enter(code: string): Promise<void> {
    this.#onChange({ name: 'loading' });
    try {
      this.#begin(
        code ? await this.#client.login(code).catch(() => this.#client.session()) : await this.#client.session(),
      );
    } catch (error) {
      this.#onChange(refusedLogin(error, code ? 'linkUsed' : undefined));
    }
  }

  /** @param ask has the person choose a passkey */
  async enterByPasskey(ask: (options: PasskeyRequestOptions) => Promise<SignedCredential>): Promise<void> {
    try {
      const credential = await ask(await this.#client.passkeyOptions());
      this.#begin(await this.#client.loginWithPasskey(credential));
    } catch (error) {
      this.#onChange({ name: 'logged-out', notice: passkeyNotice(error) });
    }
  }

  async enterByPassword(fields: PasswordLogin): Promise<void> {
    try {
      this.#begin(await this.#client.loginWithPassword(fields));
    } catch (error) {
      this.#onChange({ name: 'logged-out', notice: passwordNotice(error) });
    }
  }

  /** Reads again who is logged in, for example after they became a member. */
  async refresh(): Promise<void> {
    await this.#client.session().then(
      (session) => this.#begin(session),
      // The page finds out by its next call.
      () => {},
    );
  }

  async leave(): Promise<void> {
    await this.#client.logout().catch(() => {});
    this.#onChange({ name: 'logged-out', notice: 'loggedOut' });
  }

  /** A page found out that the session has ended. */
  end(): void {
    this.#onChange({ name: 'logged-out', notice: 'sessionEnded' });
  }

  #begin({ accountId, memberName, permissions, rtmp, countries }: DashboardSession): void {
    this.#onChange({ name: 'logged-in', accountId, memberName, permissions, rtmp, countries });
  }
}

function refusedLogin(error: unknown, notice: LoginNotice | undefined): LoginView {
  if (error instanceof ManagementError && (error.status === 401 || error.status === 403)) {
    return { name: 'logged-out', notice };
  }
  return { name: 'failed', message: error instanceof Error ? error.message : '' };
}

function passkeyNotice(error: unknown): LoginNotice {
  if (error instanceof PasskeyError && error.fault === 'passkeyCancelled') return 'passkeyCancelled';
  const code = error instanceof ManagementError ? error.code : undefined;
  if (code === 'passkey_unknown') return 'passkeyUnknown';
  if (code === 'too_many_attempts') return 'tooManyAttempts';
  return code === 'unreachable' ? 'unreachable' : 'passkeyFailed';
}

function passwordNotice(error: unknown): LoginNotice {
  const code = error instanceof ManagementError ? error.code : undefined;
  if (code === 'too_many_attempts') return 'tooManyAttempts';
  return code === 'unreachable' ? 'unreachable' : 'passwordWrong';
}
