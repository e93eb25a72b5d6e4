import type { Request, RequestHandler, Router } from 'express';
import type { PasskeyBody } from '../../../src/wire/management/passkey.js';
import type { MemberService } from '../../accounts/member-service.js';
import type { PasskeySite } from '../../accounts/passkeys/passkey-answer.js';
import type { PasskeyMember, PasskeyService } from '../../accounts/passkeys/passkey-service.js';
import type { Passkey } from '../../accounts/passkeys/passkey.js';
import { ApiError, ConflictError } from '../../errors.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { passkeyEndpoints } from '../endpoints/passkey-endpoints.js';
import { managementCallerOf } from './management-access.js';
import { memberBodyOf } from './member-routes.js';
import { readSessionCookie } from './session-cookie.js';

export interface PasskeyRoutesOptions {
  readonly passkeys: PasskeyService;
  readonly members: MemberService;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl: string | undefined;
}

/** `/api/account/passkeys`: each member has those of their own. */
export function passkeyRoutes(
  { passkeys, members, publicUrl }: PasskeyRoutesOptions,
  accountAccess: RequestHandler,
): Router {
  return endpointRouter(
    passkeyEndpoints,
    {
      async join({ accountId, body: { name }, req }) {
        const session = readSessionCookie(req, publicUrl);
        if (session === undefined) throw new ConflictError('already_member', 'There is no login that could join');
        return success({ ...memberBodyOf(req, await members.join(accountId, name, session)), current: true });
      },
      async list({ req }) {
        return success((await passkeys.list(memberOf(req).id)).map(passkeyBodyOf));
      },
      async options({ req }) {
        return success(await passkeys.creationOptions(memberOf(req), passkeySiteOf(req, publicUrl)));
      },
      async add({ body, req }) {
        return success(passkeyBodyOf(await passkeys.add(memberOf(req), body, passkeySiteOf(req, publicUrl))));
      },
      async rename({ params: { id }, body: { name }, req }) {
        return success(passkeyBodyOf(await passkeys.rename({ memberId: memberOf(req).id, id }, name)));
      },
      async remove({ params: { id }, req }) {
        await passkeys.remove({ memberId: memberOf(req).id, id });
        return success(true);
      },
    },
    { accountAccess },
  );
}

/** Where the browser of this request has the dashboard. */
export function passkeySiteOf(req: Request, publicUrl: string | undefined): PasskeySite {
  if (publicUrl !== undefined) {
    const { hostname, origin } = new URL(publicUrl);
    return { host: hostname, origins: [origin] };
  }
  const host = req.get('host') ?? '';
  // TLS may end at a proxy. Browsers offer passkeys in secure contexts only.
  return { host: req.hostname, origins: [`https://${host}`, `http://${host}`] };
}

/** The member who calls. @throws {ApiError} 403 `member_required` */
export function memberOf(req: Request): PasskeyMember {
  const { accountId, memberId, actor } = managementCallerOf(req);
  if (memberId !== undefined) return { accountId, id: memberId, name: actor.name ?? '' };
  throw new ApiError(
    403,
    'member_required',
    'Forbidden: only a member who is logged in at the dashboard has ways to log in',
  );
}

function passkeyBodyOf({ id, name, host, synced, createdOn, lastUsedOn }: Passkey): PasskeyBody {
  return {
    id,
    name,
    host,
    synced,
    createdOn: new Date(createdOn).toISOString(),
    lastUsedOn: lastUsedOn === null ? null : new Date(lastUsedOn).toISOString(),
  };
}
