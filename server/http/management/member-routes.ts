import type { Request, RequestHandler, Router } from 'express';
import type { MemberBody, MemberWithLink } from '../../../src/wire/management/member.js';
import { dashboardLink } from '../../accounts/dashboard-login.js';
import type { SeenMember } from '../../accounts/member.js';
import type { Invitation, MemberService } from '../../accounts/member-service.js';
import { memberEndpoints } from '../endpoints/account-endpoints.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { managementCallerOf } from './management-access.js';

export interface MemberRoutesOptions {
  readonly members: MemberService;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl: string | undefined;
}

/** `/api/account/members`. Only people change members: a secret that leaked must not open the dashboard. */
export function memberRoutes({ members, publicUrl }: MemberRoutesOptions, accountAccess: RequestHandler): Router {
  const invited = (req: Request, { member, code, expiresOn }: Invitation): MemberWithLink => ({
    ...memberBodyOf(req, member),
    link: dashboardLink(publicUrl ?? `${req.protocol}://${req.get('host')}`, code),
    linkExpiresOn: new Date(expiresOn).toISOString(),
  });
  return endpointRouter(
    memberEndpoints,
    {
      async list({ accountId, req }) {
        return success((await members.list(accountId)).map((member) => memberBodyOf(req, member)));
      },
      async create({ accountId, body, req }) {
        return success(invited(req, await members.invite(accountId, body)));
      },
      async link({ accountId, params: { id }, req }) {
        return success(invited(req, await members.inviteAgain(accountId, id)));
      },
      async update({ accountId, params: { id }, body, req }) {
        return success(memberBodyOf(req, await members.update(accountId, id, body)));
      },
      async remove({ accountId, params: { id } }) {
        await members.remove(accountId, id);
        return success(true);
      },
    },
    { accountAccess },
  );
}

export function memberBodyOf(
  req: Request,
  { id, name, role, createdOn, lastSeenOn, passkeys, hasPassword }: SeenMember,
): MemberBody {
  return {
    id,
    name,
    role: role ?? 'unreadable',
    createdOn: new Date(createdOn).toISOString(),
    lastSeenOn: lastSeenOn === null ? null : new Date(lastSeenOn).toISOString(),
    passkeys,
    hasPassword,
    current: managementCallerOf(req).memberId === id,
  };
}
