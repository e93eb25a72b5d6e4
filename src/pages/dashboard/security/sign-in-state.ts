import type { ManagementClient } from '../../../management/management-client.js';
import type { NewCredential, PasskeyBody, PasskeyCreationOptions } from '../../../wire/management/passkey.js';
import type { PasswordOptions, PasswordState, SetPassword } from '../../../wire/management/password.js';
import { readView, type PageView } from '../page-view.js';

export interface SignInContent {
  /** The oldest first. */
  readonly passkeys: readonly PasskeyBody[];
  readonly password: PasswordState;
}

const NO_PASSWORD: PasswordState = { loginName: null, createdOn: null, lastUsedOn: null };

export interface NewPasskey {
  /** The name of the passkey. */
  readonly name: string;
  /** The name of the person. Only of somebody who is no member yet. */
  readonly memberName: string;
}

/** The ways in which the person can log in. Each change throws {@link ManagementError}. */
export class SignInState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: PageView<SignInContent>) => void;
  #isMember: boolean;
  #reads = 0;

  /** @param isMember false: somebody with a link of the operator, who has no passkeys */
  constructor(client: ManagementClient, onChange: (view: PageView<SignInContent>) => void, isMember: boolean) {
    this.#client = client;
    this.#onChange = onChange;
    this.#isMember = isMember;
  }

  async load(): Promise<void> {
    const read = (this.#reads += 1);
    const view = await readView(async () => {
      if (!this.#isMember) return { passkeys: [], password: NO_PASSWORD };
      const [passkeys, password] = await Promise.all([this.#client.passkeys.list(), this.#client.password.state()]);
      return { passkeys, password };
    });
    // A later read has a newer answer.
    if (read === this.#reads) this.#onChange(view);
  }

  /**
   * Adds a passkey. Somebody with a link of the operator becomes a member first.
   * @param make has the person make a passkey
   */
  async add(
    { name, memberName }: NewPasskey,
    make: (options: PasskeyCreationOptions) => Promise<NewCredential>,
  ): Promise<void> {
    await this.#join(memberName);
    const credential = await make(await this.#client.passkeys.creationOptions());
    await this.#client.passkeys.add({ name, credential });
    await this.load();
  }

  /** A new secret for an authenticator app. */
  async passwordOptions(): Promise<PasswordOptions> {
    return await this.#client.password.options();
  }

  /** Sets or replaces the password. Somebody with a link of the operator becomes a member first. */
  async setPassword(fields: SetPassword, memberName: string): Promise<void> {
    await this.#join(memberName);
    await this.#client.password.set(fields);
    await this.load();
  }

  async removePassword(): Promise<void> {
    await this.#client.password.remove();
    await this.load();
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#client.passkeys.rename(id, { name });
    await this.load();
  }

  async remove(id: string): Promise<void> {
    await this.#client.passkeys.remove(id);
    await this.load();
  }

  async #join(memberName: string): Promise<void> {
    if (!this.#isMember) await this.#client.members.join(memberName);
    this.#isMember = true;
  }
}
