import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import express from 'express';
import { pino } from 'pino';
import * as z from 'zod/mini';
import { ALL_PERMISSIONS } from '../../../../server/accounts/permission.js';
import { endpointRouter } from '../../../../server/http/endpoints/endpoint-router.js';
import { defineEndpoints } from '../../../../server/http/endpoints/endpoint.js';
import { managementAccessAs } from '../../../../server/http/management/management-access.js';
import { errorHandler } from '../../../../server/http/middleware/error-handler.js';
import { notFound } from '../../../../server/http/middleware/not-found.js';
import { until } from '../../../support/media/until.js';
import { Cleanup } from '../../../support/cleanup.js';

const common = { tag: 'Server', summary: 'Test' } as const;
const number = z.pipe(
  z.string().check(z.regex(/^\d+$/)),
  z.transform((digits: string) => Number(digits)),
);

const group = defineEndpoints({
  show: {
    ...common,
    method: 'get',
    path: '/things/{id}',
    id: 'show',
    access: 'open',
    params: z.object({ id: number }),
    query: z.object({ times: z._default(number, 1) }),
    headers: z.object({ 'X-Word': z.optional(z.string().check(z.maxLength(3))) }),
    response: z.object({ id: z.number(), times: z.number(), word: z.string() }),
  },
  list: { ...common, method: 'get', path: '/things/list', id: 'list', access: 'open', response: z.array(z.string()) },
  create: {
    ...common,
    method: 'post',
    path: '/things/list',
    id: 'create',
    access: 'open',
    body: z.object({ name: z.string() }),
    status: 201,
    response: z.object({ name: z.string() }),
  },
  remove: {
    ...common,
    method: 'delete',
    path: '/own/{id}',
    id: 'remove',
    access: 'account',
    permission: 'streams',
    status: 204,
  },
  report: {
    ...common,
    method: 'get',
    path: '/report',
    id: 'report',
    access: 'account',
    permission: 'figures',
    isHeavy: true,
    response: z.string(),
  },
});

describe('endpointRouter', () => {
  const cleanup = new Cleanup();
  const removedBy: string[] = [];
  const handlers: Parameters<typeof endpointRouter<typeof group>>[1] = {
    show: ({ params, query, headers }) => ({ id: params.id, times: query.times, word: headers['X-Word'] ?? '' }),
    list: () => ['a'],
    create: async ({ body }) => ({ name: body.name }),
    remove: ({ accountId }) => void removedBy.push(accountId),
    async report({ accountId }) {
      reporting.push(accountId);
      if (accountId === 'busy') await released.promise;
      return accountId;
    },
  };
  const asked: string[] = [];
  const reporting: string[] = [];
  const released = Promise.withResolvers<void>();
  let origin: string;

  before(async () => {
    const accountAccess: express.RequestHandler = (req, res, next) => {
      const accountId = req.get('x-account') ?? 'acme';
      asked.push(accountId);
      const caller = { accountId, actor: { by: 'server', id: null }, permissions: ALL_PERMISSIONS } as const;
      return managementAccessAs(caller)(req, res, next);
    };
    const app = express();
    app.use(endpointRouter(group, handlers, { accountAccess }), notFound(), errorHandler(pino({ level: 'silent' })));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => server.close());
    cleanup.after(() => server.closeAllConnections());
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => cleanup.run());

  const call = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(origin + path, { method, ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
  };

  it('passes on parsed parameters, query and headers, and sends what the handler returns', async () => {
    const { status, body } = await call('GET', '/things/7?times=2', { headers: { 'x-word': 'yes' } });
    assert.deepEqual([status, body], [200, { id: 7, times: 2, word: 'yes' }]);
    assert.deepEqual((await call('GET', '/things/7')).body, { id: 7, times: 1, word: '' });
  });

  it('runs heavy calls of an account while another one makes many that take long', async () => {
    const before = asked.length;
    const busy = Array.from({ length: 20 }, () => call('GET', '/report', { headers: { 'x-account': 'busy' } }));
    await until('all are asked for', () => asked.length === before + 20);
    assert.equal((await call('GET', '/report')).body, 'acme');
    assert.deepEqual(reporting, ['busy', 'busy', 'busy', 'acme']);
    released.resolve();
    assert.ok((await Promise.all(busy)).every(({ status }) => status === 200));
  });

  it('parses the body and sends the status of the endpoint', async () => {
    const json = { headers: { 'content-type': 'application/json' }, body: '{"name":"a"}' };
    const { status, body } = await call('POST', '/things/list', json);
    assert.deepEqual([status, body], [201, { name: 'a' }]);
  });

  it('refuses what the schemas refuse, with the name of the field', async () => {
    const json = { headers: { 'content-type': 'application/json' } };
    for (const [method, path, init, field] of [
      ['GET', '/things/x', {}, 'id'],
      ['GET', '/things/7?times=x', {}, 'times'],
      ['GET', '/things/7', { headers: { 'x-word': 'long' } }, 'X-Word'],
      ['POST', '/things/list', { ...json, body: '{}' }, 'name'],
    ] as const) {
      const { status, body } = await call(method, path, init);
      assert.deepEqual([status, Object.keys(body.data.errors)], [400, [field]], path);
    }
  });

  it('matches a literal path before a parameter', async () => {
    assert.deepEqual((await call('GET', '/things/list')).body, ['a']);
  });

  it('refuses other methods with 405 and the allowed ones', async () => {
    const { status, headers, body } = await call('PUT', '/things/list');
    assert.deepEqual([status, headers.get('allow'), body.data.code], [405, 'GET, POST', 'method_not_allowed']);
  });

  it('passes unknown paths on', async () => {
    assert.equal((await call('GET', '/things/7/more')).status, 404);
  });

  it('passes on the account of endpoints with account access', async () => {
    const { status, body } = await call('DELETE', '/own/1');
    assert.deepEqual([status, body, removedBy], [204, '', ['acme']]);
  });

  it('cannot be created without accountAccess if an endpoint needs it', () => {
    assert.throws(() => endpointRouter(group, handlers), /accountAccess/);
  });
});
