import fc from 'fast-check';
import { deviceClassOf } from '../../../server/signalling/device-class.js';
import { callerOf } from '../../../server/http/request/caller.js';
import { createClientAddress } from '../../../server/http/request/client-address.js';
import { IF_MATCH, matchesEntityTag } from '../../../server/http/request/entity-tag.js';
import { ifMatch } from '../../../server/ingest/session-routes.js';
import { SOCKET_PATH } from '../../../server/signalling/signalling-server.js';
import { costRow, MB, repeated, type CheckedRow } from '../../support/cost.js';

/** Node takes no more of headers and URL together (`--max-http-header-size`). */
const MAX_HEAD = 16 * 1024;

const proxied = createClientAddress(['10.0.0.0/8', 'fd00::/8']);
const socket = { remoteAddress: '10.0.0.1' };

export const headerRows: readonly CheckedRow[] = [
  costRow({
    name: 'X-Forwarded-For of any hops, behind a trusted proxy',
    parsers: ['server/http/request/client-address.ts createClientAddress', 'server/http/request/forwarded-header.ts'],
    limit: MAX_HEAD,
    inputs: repeated(
      fc.constantFrom('10.0.0.1,', 'fd00::1,', ',', ', ', ' ', '[', ']', '[fd00::1]:9,', '1', '1.', ':', 'a'),
    ),
    read: (value) => proxied({ headers: { 'x-forwarded-for': value }, socket }),
  }),
  costRow({
    name: 'Forwarded of any pairs, behind a trusted proxy',
    parsers: ['server/http/request/client-address.ts createClientAddress', 'server/http/request/forwarded-header.ts'],
    limit: MAX_HEAD,
    inputs: fc.oneof(
      repeated(
        fc.constantFrom(
          'for=10.0.0.1,',
          'for="[fd00::1]",',
          'a=b;',
          'by=a;for=10.0.0.1,',
          'a=b ',
          ' ',
          ';',
          'a',
          '\\',
          '"',
        ),
      ),
      repeated(fc.constantFrom('\\"', '\\\\', 'a', '\\', ' '), { before: 'for="', after: '"' }),
      repeated(fc.constantFrom(' ', '\t', 'a', '!'), { before: 'for=10.0.0.1' }),
    ),
    read: (value) => proxied({ headers: { forwarded: value }, socket }),
  }),
  costRow({
    name: 'Authorization',
    parsers: ['server/http/request/caller.ts callerOf'],
    limit: MAX_HEAD,
    inputs: fc.oneof(
      repeated(fc.constantFrom(' ', 'a', 'a ', ' a', 'Bearer ')),
      repeated(fc.constantFrom(' ', 'a', 'a ', ' a'), { before: 'Bearer ', after: ' b' }),
    ),
    read: (authorization) =>
      callerOf(Object.assign(Object.create(null), { headers: { authorization }, socket }), proxied),
  }),
  costRow({
    name: 'User-Agent',
    parsers: ['server/signalling/device-class.ts deviceClassOf'],
    limit: MAX_HEAD,
    inputs: repeated(
      fc.constantFrom('android', 'android mobil', 'a', 'smart-', 'aft', 'mob', ' ', 'iphone', 'ipo', 'linux '),
    ),
    read: deviceClassOf,
  }),
  costRow({
    name: 'If-Match',
    parsers: [
      'server/http/request/entity-tag.ts IF_MATCH, matchesEntityTag',
      'server/ingest/session-routes.ts ifMatch',
    ],
    limit: MAX_HEAD,
    inputs: fc.oneof(
      repeated(fc.constantFrom('"a",', 'W/"a" , ', '"', '","', '" , ', ' ', 'W/', ',')),
      repeated(fc.constantFrom(' ', ', ', '"a", '), { before: '"a"', after: 'x' }),
    ),
    read: (value) => [IF_MATCH.test(value) && matchesEntityTag({ revision: 1 }, value), ifMatch(value, '"ice"')],
  }),
  costRow({
    name: 'the address of a websocket',
    parsers: ['server/signalling/signalling-server.ts SOCKET_PATH'],
    limit: MAX_HEAD,
    inputs: fc.oneof(
      repeated(fc.constantFrom('a', '/', '%41', '0', '?', '../', './', '#', 'é'), { before: '/ws/v2/sub/' }),
      repeated(fc.constantFrom('token=a&', 'token=', '&', '=', '%41', '+'), { before: '/ws/v2/sub?' }),
    ),
    // Two texts for each parameter.
    fixedMemory: MB,
    read(path) {
      const url = URL.parse(path, 'ws://host');
      return [SOCKET_PATH.exec(url?.pathname ?? ''), url?.searchParams.get('token')];
    },
  }),
];
