import * as z from 'zod/mini';
import {
  memberBody,
  memberList,
  memberWithLink,
  type CreateMember,
  type MemberBody,
  type MemberWithLink,
  type UpdateMember,
} from '../wire/management/member.js';
import type { ManagementConnection } from './management-connection.js';

const PATH = '/api/account/members';
const memberAnswer = z.object({ status: z.literal('success'), data: memberBody });
const linkAnswer = z.object({ status: z.literal('success'), data: memberWithLink });
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

/** The calls for the members of the account. Changes are for people at the dashboard. Each throws {@link ManagementError}. */
export class MemberCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The members of the account, the oldest first. */
  async list(): Promise<readonly MemberBody[]> {
    return (await this.#connection.call(memberList, { method: 'GET', path: PATH })).data;
  }

  /** Adds a member. The answer has a link that logs them in once, within a week. No later answer has it. */
  async invite(fields: CreateMember): Promise<MemberWithLink> {
    return (await this.#connection.call(linkAnswer, { method: 'POST', path: PATH, body: fields })).data;
  }

  /** Makes an owner of somebody who logged in with a link of the operator. @throws {ManagementError} `already_member` */
  async join(name: string): Promise<MemberBody> {
    const request = { method: 'POST', path: `${PATH}/self`, body: { name } } as const;
    return (await this.#connection.call(memberAnswer, request)).data;
  }

  /** Another login link for a member. Those before, which were not opened, stop working. */
  async inviteAgain(id: string): Promise<MemberWithLink> {
    return (await this.#connection.call(linkAnswer, { method: 'POST', path: `${pathOf(id)}/link` })).data;
  }

  /** Changes the given fields only. A role takes effect at the next call of the member. */
  async update(id: string, change: UpdateMember): Promise<MemberBody> {
    return (await this.#connection.call(memberAnswer, { method: 'PUT', path: pathOf(id), body: change })).data;
  }

  /** Removes a member, and logs them out everywhere. @throws {ManagementError} `member_not_found` */
  async remove(id: string): Promise<void> {
    await this.#connection.call(doneAnswer, { method: 'DELETE', path: pathOf(id) });
  }
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
