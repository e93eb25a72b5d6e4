import { ManagementClient } from '../../management/management-client.js';
import { ManagementError } from '../../management/management-error.js';
import type { TokenBody } from '../../wire/management/token.js';
import { broadcasterLink, viewerLink } from '../address.js';
import { usableFor } from './token-view.js';

const ITEMS_ON_PAGE = 20;

/** The text above the way to log in. */
export type LoginNotice = 'linkUsed' | 'loggedOut';

/** What the dashboard shows. A failure without a message is unexpected. */
export type DashboardView =
  | { readonly name: 'loading' }
  | { readonly name: 'logged-out'; readonly notice: LoginNotice | undefined }
  | { readonly name: 'failed'; readonly message: string }
  | ({ readonly name: 'ready' } & TokenPage);

export interface TokenPage {
  readonly accountId: string;
  readonly tokens: readonly TokenBody[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** Calls the management API for the dashboard. The session cookie of the browser is the credential. */
export class DashboardState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: DashboardView) => void;
  view: DashboardView = { name: 'loading' };

  constructor(origin: string, onChange: (view: DashboardView) => void) {
    this.#client = new ManagementClient({ endpoint: origin });
    this.#onChange = onChange;
  }

  /**
   * Logs in, or continues the session of the browser.
   * @param code of a login link. Empty: the page was opened without one.
   */
  async enter(code: string): Promise<void> {
    this.#show({ name: 'loading' });
    try {
      const { accountId } = code
        ? await this.#client.login(code).catch(() => this.#client.session())
        : await this.#client.session();
      await this.#load(accountId, 1);
    } catch (error) {
      this.#showError(error, code ? 'linkUsed' : undefined);
    }
  }

  async turnTo(page: number): Promise<void> {
    if (this.view.name !== 'ready') return;
    await this.#load(this.view.accountId, page).catch((error: unknown) => this.#showError(error));
  }

  /** The URL of the hosted broadcaster for this stream name. @throws {ManagementError} */
  async broadcast(streamName: string): Promise<string> {
    const known = this.view.name === 'ready' ? usableFor(streamName, this.view.tokens, Date.now()) : undefined;
    const { token } =
      known ?? (await this.#client.publishTokens.create({ label: streamName, streams: [{ streamName }] }));
    return broadcasterLink(location.origin, { streamName, token });
  }

  /** Creates a subscribe token. Returns the URL of the hosted viewer with it. @throws {ManagementError} */
  async invite(accountId: string, streamName: string): Promise<string> {
    const { token } = await this.#client.subscribeTokens.create({
      label: `Viewer link for ${streamName}`.slice(0, 128),
      streams: [{ streamName }],
    });
    return viewerLink(location.origin, { accountId, streamName, token });
  }

  /** @throws {ManagementError} */
  async remove(id: number): Promise<void> {
    await this.#client.publishTokens.delete(id);
    if (this.view.name !== 'ready') return;
    const { page, tokens } = this.view;
    await this.turnTo(tokens.length === 1 && page > 1 ? page - 1 : page);
  }

  async leave(): Promise<void> {
    await this.#client.logout().catch(() => {});
    this.#show({ name: 'logged-out', notice: 'loggedOut' });
  }

  async #load(accountId: string, page: number): Promise<void> {
    const { tokens, total } = await this.#client.publishTokens.list({
      page,
      itemsOnPage: ITEMS_ON_PAGE,
      sortBy: 'AddedOn',
      isDescending: true,
    });
    this.#show({ name: 'ready', accountId, tokens, total, page, pages: Math.ceil(total / ITEMS_ON_PAGE) });
  }

  #showError(error: unknown, notice?: LoginNotice): void {
    const isLogin = error instanceof ManagementError && (error.status === 401 || error.status === 403);
    this.#show(
      isLogin
        ? { name: 'logged-out', notice }
        : { name: 'failed', message: error instanceof Error ? error.message : '' },
    );
  }

  #show(view: DashboardView): void {
    this.view = view;
    this.#onChange(view);
  }
}
