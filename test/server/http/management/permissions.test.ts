import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import express from 'express';
import { pino } from 'pino';
import { tokenList, tokenRecord } from '../../../../src/wire/management/token.js';
import {
  ALL_PERMISSIONS,
  PERMISSIONS,
  permissionsOfLogin,
  permissionsOfRole,
  permissionsOfScopes,
  type PermissionSet,
} from '../../../../server/accounts/permission.js';
import { apiKeyScope } from '../../../../src/wire/management/api-key.js';
import { endpointRouter } from '../../../../server/http/endpoints/endpoint-router.js';
import type { Endpoint } from '../../../../server/http/endpoints/endpoint.js';
import { endpoints } from '../../../../server/http/endpoints/endpoints.js';
import { managementAccessAs } from '../../../../server/http/management/management-access.js';
import { errorHandler } from '../../../../server/http/middleware/error-handler.js';
import { memberRole } from '../../../../src/wire/management/member.js';
import type { Actor } from '../../../../server/oversight/actor.js';
import { Cleanup } from '../../../support/cleanup.js';

const ofAccounts = endpoints.filter(({ access }) => access === 'account');

/** Each set of permissions that a caller can have, and each permission alone. */
const SETS: readonly (readonly [name: string, permissions: PermissionSet])[] = [
  ...PERMISSIONS.map((permission) => [`the permission ${permission}`, new Set([permission])] as const),
  ...apiKeyScope.options.map((scope) => [`the scope ${scope}`, permissionsOfScopes([scope])] as const),
  ...memberRole.options.map((role) => [`the role ${role}`, permissionsOfRole(role)] as const),
  ['no permission', new Set()],
];

describe('permissions of management calls', () => {
  const cleanup = new Cleanup();
  after(() => cleanup.run());

  /** All endpoints of accounts as the router declares them. Each handler answers 204. */
  const originFor = async (permissions: PermissionSet, by: Actor['by'] = 'dashboard') => {
    const accountAccess = managementAccessAs({ accountId: 'acme', actor: { by, id: null }, permissions });
    const group = Object.fromEntries(ofAccounts.map((endpoint): [string, Endpoint] => [endpoint.id, endpoint]));
    const done = [(_req: express.Request, res: express.Response) => void res.status(204).end()];
    const handlers = Object.fromEntries(ofAccounts.map(({ id }) => [id, done]));
    const app = express();
    app.use(endpointRouter(group, handlers, { accountAccess }), errorHandler(pino({ level: 'silent' })));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => server.close());
    cleanup.after(() => server.closeAllConnections());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  for (const [name, permissions] of SETS) {
    it(`lets a caller with ${name} call exactly the endpoints that need what they have`, async () => {
      const origin = await originFor(permissions);
      for (const { id, method, path, permission } of ofAccounts) {
        const response = await fetch(origin + path.replaceAll(/\{\w+\}/g, '1'), { method: method.toUpperCase() });
        if (permissions.has(permission!)) assert.equal(response.status, 204, id);
        else {
          const { message, code } = JSON.parse(await response.text()).data;
          const refusal = `Forbidden: this call needs the permission ${permission}`;
          assert.deepEqual([response.status, code, message], [403, 'permission_missing', refusal], id);
        }
      }
    });
  }

  for (const by of ['secret', 'key'] as const) {
    it(`do not let a program with a ${by} make the calls that are for people`, async () => {
      const origin = await originFor(ALL_PERMISSIONS, by);
      const refused: string[] = [];
      for (const { id, method, path } of ofAccounts) {
        const response = await fetch(origin + path.replaceAll(/\{\w+\}/g, '1'), { method: method.toUpperCase() });
        if (response.status === 204) continue;
        assert.deepEqual([response.status, JSON.parse(await response.text()).data.code], [403, 'person_required'], id);
        refused.push(id);
      }
      // What opens the dashboard, ends its logins, or locks the owner of a credential out.
      assert.deepEqual(refused.toSorted(), [
        'createApiSecret',
        'deleteApiSecret',
        'endLogin',
        'endOtherLogins',
        'getPasswordOptions',
        'inviteMember',
        'inviteMemberAgain',
        'joinAccount',
        'refreshApiSecret',
        'removeMember',
        'updateMember',
      ]);
    });
  }

  it('are nobody’s who is logged in without being an operator or a member', () => {
    assert.deepEqual(permissionsOfLogin('operator'), ALL_PERMISSIONS);
    const unknown: unknown[] = [null, undefined, {}, { role: null }, { role: 'admin' }, { role: 'constructor' }];
    for (const who of unknown)
      assert.equal(Reflect.apply(permissionsOfLogin, undefined, [who]).size, 0, JSON.stringify(who));
    assert.equal(Reflect.apply(permissionsOfScopes, undefined, [['admin', 'constructor', '']]).size, 0);
  });

  it('are needed by every endpoint of an account', () => {
    assert.ok(ofAccounts.length > 15);
    for (const { id, permission } of ofAccounts) assert.ok(permission && PERMISSIONS.includes(permission), id);
  });

  it('give the values of tokens only to callers who may read them', () => {
    const answersTokens = ({ response }: Endpoint) =>
      response !== undefined &&
      (response === tokenList || JSON.stringify(response._zod.def, keepSchema).includes('"token record"'));
    const withValues = ofAccounts.filter(answersTokens);
    assert.ok(withValues.length >= 12);
    for (const { id, permission } of withValues) assert.ok(permission === 'read' || permission === 'tokens', id);
    const sets = [
      ...apiKeyScope.options.map((scope) => permissionsOfScopes([scope])),
      ...memberRole.options.map(permissionsOfRole),
    ];
    for (const set of sets) assert.ok(!set.has('tokens') || set.has('read'));
  });
});

function keepSchema(_key: string, value: unknown): unknown {
  return value === tokenRecord ? 'token record' : value;
}
