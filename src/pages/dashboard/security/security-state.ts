import type { ManagementClient } from '../../../management/management-client.js';
import type { ApiKeyBody, CreateApiKey } from '../../../wire/management/api-key.js';
import type { ApiSecretState } from '../../../wire/management/api-secret.js';
import type { LoginBody } from '../../../wire/management/login.js';
import type { CreateMember, MemberBody, MemberRole } from '../../../wire/management/member.js';
import type { ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';

const ITEMS_ON_PAGE = 20;

/** A page of keys, the newest first. */
export interface KeyPage extends ListPage {
  readonly keys: readonly ApiKeyBody[];
}

export interface SecurityContent {
  readonly secret: ApiSecretState;
  readonly keys: KeyPage;
  /** The browsers that are logged in, the last seen first. */
  readonly logins: readonly LoginBody[];
  /** The oldest first. */
  readonly members: readonly MemberBody[];
}

export type SecurityView = PageView<SecurityContent>;

/**
 * Reads and changes the API secret and the keys. Each change throws {@link ManagementError}. A change that makes a
 * value returns it before the page is read again, because a failure to read it must not lose the value.
 */
export class SecurityState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: SecurityView) => void;
  #view: SecurityView = { name: 'loading' };
  #reads = 0;

  constructor(client: ManagementClient, onChange: (view: SecurityView) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  async load(page = 1): Promise<void> {
    if (this.#view.name !== 'ready') this.#show({ name: 'loading' });
    const read = (this.#reads += 1);
    const view = await readView(async () => {
      const [secret, keys, logins, members] = await Promise.all([
        this.#client.secret.state(),
        this.#client.keys.list({ page, itemsOnPage: ITEMS_ON_PAGE }),
        this.#client.logins.list(),
        this.#client.members.list(),
      ]);
      return { secret, keys: { ...keys, pages: Math.ceil(keys.total / ITEMS_ON_PAGE) }, logins, members };
    });
    // A later read has a newer answer.
    if (read === this.#reads) this.#show(view);
  }

  /** Creates the secret, or replaces it. Returns its value, which no later answer has. */
  async renewSecret(): Promise<string> {
    const exists = this.#view.name === 'ready' && this.#view.secret.exists;
    const { secret } = await (exists ? this.#client.secret.refresh() : this.#client.secret.create());
    void this.#reload();
    return secret;
  }

  async deleteSecret(): Promise<void> {
    await this.#client.secret.delete();
    await this.#reload();
  }

  /** Returns the value of the new key, which no later answer has. */
  async createKey(fields: CreateApiKey): Promise<string> {
    const { value } = await this.#client.keys.create(fields);
    void this.load();
    return value;
  }

  /** @param oldValueExpires seconds, 0 to 30 days. Returns the new value, which no later answer has. */
  async rotateKey(id: string, oldValueExpires: number): Promise<string> {
    const { value } = await this.#client.keys.rotate(id, { oldValueExpires });
    void this.#reload();
    return value;
  }

  async revokeKey(id: string): Promise<void> {
    await this.#client.keys.revoke(id);
    await this.#reload();
  }

  /** Returns the login link of the new member, which no later answer has. */
  async inviteMember(fields: CreateMember): Promise<string> {
    const { link } = await this.#client.members.invite(fields);
    void this.#reload();
    return link;
  }

  /** Returns another login link, which no later answer has. */
  async inviteMemberAgain(id: string): Promise<string> {
    return (await this.#client.members.inviteAgain(id)).link;
  }

  async changeRole(id: string, role: MemberRole): Promise<void> {
    await this.#client.members.update(id, { role });
    await this.#reload();
  }

  async removeMember(id: string): Promise<void> {
    await this.#client.members.remove(id);
    await this.#reload();
  }

  /** Logs one browser out. */
  async endLogin(id: string): Promise<void> {
    await this.#client.logins.end(id);
    await this.#reload();
  }

  /** Logs every other browser out. */
  async endOtherLogins(): Promise<void> {
    await this.#client.logins.endOthers();
    await this.#reload();
  }

  async #reload(): Promise<void> {
    await this.load(this.#view.name === 'ready' ? this.#view.keys.page : 1);
  }

  #show(view: SecurityView): void {
    this.#view = view;
    this.#onChange(view);
  }
}
