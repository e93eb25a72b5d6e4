import { randomBytes } from 'node:crypto';
import type { CreateMember, UpdateMember } from '../../src/wire/management/member.js';
import { ConflictError, NotFoundError } from '../errors.js';
import type { SeenMember } from './member.js';
import type { MemberStore } from './member-store.js';
import { newSecretValue, secretHash } from './secret-value.js';

/** How long the login link of a member can be opened. */
export const INVITATION_TTL_MS = 7 * 24 * 3_600_000;

/** A member with the code of a login link, which is not stored. */
export interface Invitation {
  readonly member: SeenMember;
  readonly code: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
}

/** The members of accounts: they log in by a link that opens once, and act by their role. */
export class MemberService {
  readonly #store: MemberStore;
  readonly #now: () => number;

  constructor(store: MemberStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  async list(accountId: string): Promise<readonly SeenMember[]> {
    return await this.#store.list(accountId, this.#now());
  }

  /** @throws {NotFoundError} `member_not_found` */
  async get(accountId: string, id: string): Promise<SeenMember> {
    return (await this.list(accountId)).find((member) => member.id === id) ?? notFound(id);
  }

  async invite(accountId: string, { name, role }: CreateMember): Promise<Invitation> {
    const createdOn = this.#now();
    const member = { id: newMemberId(), accountId, name, role, createdOn };
    const { code, hash, expiresOn } = this.#newCode();
    await this.#store.add(member, { hash, expiresOn });
    return { member: { ...member, lastSeenOn: null, passkeys: 0, hasPassword: false }, code, expiresOn };
  }

  /**
   * Makes an owner of somebody who logged in with a link of the operator, so that they can have passkeys.
   * @throws {ConflictError} `already_member`
   */
  async join(accountId: string, name: string, session: string): Promise<SeenMember> {
    const createdOn = this.#now();
    const member = { id: newMemberId(), accountId, name, role: 'owner', createdOn } as const;
    if (!(await this.#store.adopt(member, secretHash(session)))) {
      throw new ConflictError('already_member', 'This login belongs to a member already');
    }
    return { ...member, lastSeenOn: createdOn, passkeys: 0, hasPassword: false };
  }

  /** Another login link. The one before stops working. @throws {NotFoundError} `member_not_found` */
  async inviteAgain(accountId: string, id: string): Promise<Invitation> {
    const { code, hash, expiresOn } = this.#newCode();
    const member = await this.#store.addCode(accountId, id, { hash, expiresOn }, this.#now());
    return { member: member ?? notFound(id), code, expiresOn };
  }

  /** Takes effect at the next call of the member, on every server. @throws {NotFoundError} `member_not_found` */
  async update(accountId: string, id: string, change: UpdateMember): Promise<SeenMember> {
    return (await this.#store.update(accountId, id, change, this.#now())) ?? notFound(id);
  }

  /** Logs the member out everywhere. @throws {NotFoundError} `member_not_found` */
  async remove(accountId: string, id: string): Promise<void> {
    if (!(await this.#store.remove(accountId, id, this.#now()))) notFound(id);
  }

  #newCode() {
    const code = newSecretValue();
    return { code, hash: secretHash(code), expiresOn: this.#now() + INVITATION_TTL_MS };
  }
}

function newMemberId(): string {
  return `mem_${randomBytes(6).toString('hex')}`;
}

function notFound(id: string): never {
  throw new NotFoundError('member_not_found', `The account has no member with id: ${id}`);
}
