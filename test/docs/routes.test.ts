import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { endpoints } from '../../server/http/endpoints/endpoints.js';
import { SOCKET_PATH } from '../../server/signalling/signalling-server.js';
import { Cleanup } from '../support/cleanup.js';
import { codeIn, tableUnder } from '../support/markdown-table.js';
import { routesOf } from '../support/routes-of.js';
import { streamServer } from '../support/stream-server.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const PAGE = 'docs/api.md';
const HEADING = 'Other addresses';
const SERVER_PAGE = 'server/README.md';

const cleanup = new Cleanup();
after(() => cleanup.run());
const { server } = await streamServer(cleanup);

/** docs/reference/calls.md is made of them. */
const declared = new Set(
  endpoints.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
);
/** Such as `GET /viewer`, without those that are declared. The path of some routes is a regular expression. */
const routes = routesOf(server.router)
  .filter((route) => !declared.has(route.replace('*', ':')))
  .map((route) => {
    const [, method, path] = /^(\S+) (.*)$/.exec(route)!;
    return { route, method: method!, path: path! };
  });

/** A row has one path or several, and the methods of each path. */
const rows = tableUnder(read(PAGE), HEADING).flatMap(([paths, methods]) =>
  codeIn(paths!).map((path) => ({ path, methods: codeIn(methods!) })),
);
const ofSockets = rows.filter(({ methods }) => methods.includes('websocket'));
const ofRouter = rows.filter(({ methods }) => !methods.includes('websocket'));

/** `…` at the end of a row means all paths that begin with it. */
function matches(row: string, path: string): boolean {
  if (path.startsWith('/^')) return new RegExp(path.slice(1, -1)).test(row);
  return row.endsWith('/…') ? path.startsWith(row.slice(0, -1)) : row === asWritten(path);
}

/** `/scheduled/:id` as the page writes it: `/scheduled/ID`. */
function asWritten(path: string): string {
  return path.replaceAll(/[:*](\w+)/g, (_, name: string) => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase());
}

describe(`the addresses in ${PAGE}`, () => {
  for (const { route, method, path } of routes) {
    it(`name ${route}`, () => {
      const row = ofRouter.find((one) => matches(one.path, path));
      assert.ok(row, `${PAGE} has no row for \`${asWritten(path)}\` (${method}) below "${HEADING}"`);
      assert.ok(row.methods.includes(method), `the row of \`${row.path}\` does not name ${method}`);
    });
  }

  it('are all answered, with these methods', () => {
    for (const { path, methods } of ofRouter) {
      for (const method of methods) {
        const isThere = routes.some((route) => route.method === method && matches(path, route.path));
        assert.ok(isThere, `${PAGE} names ${method} ${path}, which the router does not have`);
      }
    }
  });

  it('name every address of a websocket, and no other', () => {
    const sample = (path: string): string => path.replace('SERVER_ID', '0123456789abcdef'.repeat(2));
    for (const { path } of ofSockets) assert.match(sample(path), SOCKET_PATH, `there is no websocket at ${path}`);
    const known = new Set(ofSockets.map(({ path }) => path));
    fc.assert(
      fc.property(fc.stringMatching(SOCKET_PATH), (address) => {
        const path = address.replace(/\/[0-9a-f]{32}$/, '/SERVER_ID');
        assert.ok(known.has(path), `${PAGE} has no row for the websocket at ${path}`);
      }),
    );
  });
});

describe(`the addresses in ${SERVER_PAGE}`, () => {
  // Up to the first variable part: an app that mounts the router must not use these addresses.
  const taken = new Set([...rows, ...endpoints].map(({ path }) => /^\/(?:api\/(?:v2\/)?|ws\/)?[\w.-]+/.exec(path)![0]));
  const section = read(SERVER_PAGE).split('<!-- addresses -->')[1] ?? '';

  it('begin as all of those in the table and of the endpoints do, and are no others', () => {
    const named = new Set(codeIn(section));
    for (const path of taken) assert.ok(named.has(path), `${SERVER_PAGE} does not name \`${path}\``);
    for (const path of named)
      assert.ok(taken.has(path), `${SERVER_PAGE} names \`${path}\`, which is no address of the server`);
  });
});
