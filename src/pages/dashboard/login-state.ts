import type { ManagementClient } from '../../management/management-client.js';
import type { DashboardSession } from '../../wire/management/dashboard-session.js';
import { ManagementError } from '../../management/management-error.js';

/** The text above the way to log in. */
export type LoginNotice = 'linkUsed' | 'loggedOut' | 'sessionEnded';

/** Whether somebody is logged in. A failure without a message is unexpected. */
export type LoginView =
  | { readonly name: 'loading' }
  | { readonly name: 'logged-out'; readonly notice: LoginNotice | undefined }
  | { readonly name: 'failed'; readonly message: string }
  | ({ readonly name: 'logged-in' } & Pick<DashboardSession, 'accountId' | 'memberName' | 'permissions'>);

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
      const { accountId, memberName, permissions } = code
        ? await this.#client.login(code).catch(() => this.#client.session())
        : await this.#client.session();
      this.#onChange({ name: 'logged-in', accountId, memberName, permissions });
    } catch (error) {
      this.#onChange(refusedLogin(error, code ? 'linkUsed' : undefined));
    }
  }

  async leave(): Promise<void> {
    await this.#client.logout().catch(() => {});
    this.#onChange({ name: 'logged-out', notice: 'loggedOut' });
  }

  /** A page found out that the session has ended. */
  end(): void {
    this.#onChange({ name: 'logged-out', notice: 'sessionEnded' });
  }
}

function refusedLogin(error: unknown, notice: LoginNotice | undefined): LoginView {
  if (error instanceof ManagementError && (error.status === 401 || error.status === 403)) {
    return { name: 'logged-out', notice };
  }
  return { name: 'failed', message: error instanceof Error ? error.message : '' };
}
