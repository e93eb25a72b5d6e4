import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp, type ManagementApp } from '../../../support/management-app.js';

/** Values that people and programs send. Each is refused with the name of its field, or stored in one form. */
describe('the fields of a token', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;

  before(async () => {
    app = await managementApp(cleanup);
  });
  after(() => cleanup.run());

  const create = (body: object) => ask(app, 'POST', '/api/subscribe_token', body);
  const many = (count: number, item: (i: number) => unknown) => Array.from({ length: count }, (_, i) => item(i));

  it('are all checked before one answer, which names each fault', async () => {
    const { status, body } = await create({
      streams: [{ streamName: '(?=a)', isRegex: true }],
      allowedOrigins: ['example.com', '*'],
      allowedIpAddresses: ['127.1'],
      deniedIpAddresses: ['010.0.0.1', '::1'],
      allowedCountries: ['CH'],
    });
    assert.deepEqual([status, body.data.code], [400, 'invalid_pattern']);
    assert.deepEqual(Object.keys(body.data.errors).toSorted(), [
      'allowedCountries',
      'allowedIpAddresses.0',
      'allowedOrigins.1',
      'deniedIpAddresses.0',
      'streams.0.streamName',
    ]);
  });

  const refused: [what: string, body: object, code: string][] = [
    ['every page by *', { allowedOrigins: ['*'] }, 'invalid_origin'],
    ['every site of a public suffix', { allowedOrigins: ['*.com'] }, 'invalid_origin'],
    ['every site of a host of strangers', { allowedOrigins: ['*.github.io'] }, 'invalid_origin'],
    ['an origin with a path', { allowedOrigins: ['https://example.com/live'] }, 'invalid_origin'],
    ['an origin with a login', { allowedOrigins: ['https://me@example.com'] }, 'invalid_origin'],
    ['an origin with a control character', { allowedOrigins: ['exam\u0007ple.com'] }, 'invalid_origin'],
    ['an origin with NUL, which no database keeps', { allowedOrigins: ['exam\u0000ple.com'] }, 'invalid_request'],
    ['an origin of another scheme', { allowedOrigins: ['ftp://example.com'] }, 'invalid_origin'],
    ['an origin that is a number', { allowedOrigins: [7] }, 'invalid_request'],
    ['origins that are no list', { allowedOrigins: 'example.com' }, 'invalid_request'],
    ['1,001 origins', { allowedOrigins: many(1001, (i) => `a${i}.example.com`) }, 'invalid_request'],
    ['a short form of an address', { allowedIpAddresses: ['127.1'] }, 'invalid_address'],
    ['an octal address', { allowedIpAddresses: ['010.0.0.1'] }, 'invalid_address'],
    ['a hexadecimal address', { allowedIpAddresses: ['0x7f.0.0.1'] }, 'invalid_address'],
    ['an address as one number', { allowedIpAddresses: ['2130706433'] }, 'invalid_address'],
    ['an address with a zone', { allowedIpAddresses: ['fe80::1%eth0'] }, 'invalid_address'],
    ['a range longer than the address', { allowedIpAddresses: ['10.0.0.0/33'] }, 'invalid_address'],
    ['every address by *', { allowedIpAddresses: ['*'] }, 'invalid_address'],
    ['1,001 addresses', { allowedIpAddresses: many(1001, (i) => `10.0.${i >> 8}.${i & 255}`) }, 'invalid_request'],
    ['an octal address to deny', { deniedIpAddresses: ['010.0.0.1'] }, 'invalid_address'],
    ['an address to deny with a zone', { deniedIpAddresses: ['::1', 'fe80::1%eth0'] }, 'invalid_address'],
    [
      '1,001 addresses to deny',
      { deniedIpAddresses: many(1001, (i) => `10.0.${i >> 8}.${i & 255}`) },
      'invalid_request',
    ],
    ['1,001 streams', { streams: many(1001, (i) => ({ streamName: `s${i}` })) }, 'invalid_request'],
    ['a stream name of 129 characters', { streams: [{ streamName: 'x'.repeat(129) }] }, 'invalid_request'],
    ['a stream name with a control character', { streams: [{ streamName: 'a\u0007' }] }, 'invalid_request'],
    ['a pattern that RE2 does not take', { streams: [{ streamName: '(?=a)', isRegex: true }] }, 'invalid_pattern'],
    [
      'a pattern that explodes',
      { streams: [{ streamName: '((a{1,99}){1,99}){1,99}', isRegex: true }] },
      'invalid_pattern',
    ],
    ['a label of 129 characters', { label: 'x'.repeat(129) }, 'invalid_request'],
    ['a label with a control character', { label: 'a\u0000b' }, 'invalid_request'],
    ['a label that is a number', { label: 7 }, 'invalid_request'],
    ['a number as a string', { expires: '60' }, 'invalid_request'],
    ['a negative number', { bindIpsOnUsage: -1 }, 'invalid_request'],
    ['half an address to bind', { bindIpsOnUsage: 1.5 }, 'invalid_request'],
    ['a limit of sessions below 0', { maxSessions: -1 }, 'invalid_request'],
    ['a limit of sessions that is no number', { maxSessions: null }, 'invalid_request'],
    ['another word for a full token', { whenFull: 'queue' }, 'invalid_request'],
    ['an expiry of no time', { expires: 0 }, 'invalid_request'],
    ['a list by hand and by use', { bindIpsOnUsage: 1, allowedIpAddresses: ['192.0.2.1'] }, 'binding_with_list'],
    ['countries without a database of them', { allowedCountries: ['ch'] }, 'unsupported_field'],
    ['a code of no country', { deniedCountries: ['XX'] }, 'invalid_request'],
    ['a code that stands for another', { deniedCountries: ['UK'] }, 'invalid_request'],
    ['the name of a country', { allowedCountries: ['Switzerland'] }, 'invalid_request'],
    ['an unknown field', { colour: 'red' }, 'invalid_request'],
  ];
  for (const [what, body, code] of refused) {
    it(`refuse ${what}, with the name of the field`, async () => {
      const { status, body: answer } = await create(body);
      assert.equal(status, 400);
      assert.equal(answer.data.code, code);
      assert.match(answer.data.message, new RegExp(Object.keys(body).join('|')));
    });
  }

  const kept: [what: string, body: object, field: string, value: unknown][] = [
    ['null for a list of addresses', { deniedIpAddresses: null }, 'deniedIpAddresses', []],
    ['null for a list of streams', { streams: null }, 'streams', []],
    ['the origin of an app', { allowedOrigins: ['tauri://localhost'] }, 'allowedOrigins', ['tauri://localhost']],
    ['a host in capitals', { allowedOrigins: ['Example.COM'] }, 'allowedOrigins', ['example.com']],
    ['a host that is no ASCII', { allowedOrigins: ['bücher.example'] }, 'allowedOrigins', ['xn--bcher-kva.example']],
    [
      'a wildcard with scheme and port',
      { allowedOrigins: ['https://*.a.example.com:8443'] },
      'allowedOrigins',
      ['https://*.a.example.com:8443'],
    ],
    ['an origin twice', { allowedOrigins: ['example.com', 'EXAMPLE.com'] }, 'allowedOrigins', ['example.com']],
    ['an IPv4 address written as IPv6', { allowedIpAddresses: ['::ffff:1.2.3.4'] }, 'allowedIpAddresses', ['1.2.3.4']],
    [
      'a range that is not at its network',
      { allowedIpAddresses: ['10.1.2.3/8'] },
      'allowedIpAddresses',
      ['10.0.0.0/8'],
    ],
    [
      'an IPv6 address in long form',
      { allowedIpAddresses: ['2001:DB8:0:0::1'] },
      'allowedIpAddresses',
      ['2001:db8::1'],
    ],
    ['a denied address twice', { deniedIpAddresses: ['::ffff:1.2.3.4', '1.2.3.4'] }, 'deniedIpAddresses', ['1.2.3.4']],
    ['SQL in a label', { label: "'; drop table token; --" }, 'label', "'; drop table token; --"],
  ];
  for (const [what, body, field, value] of kept) {
    it(`store ${what} in one form`, async () => {
      const { status, body: answer } = await create(body);
      assert.equal(status, 200);
      assert.deepEqual(answer.data[field], value);
    });
  }

  it('are stored for the accepted requests only, after a label with SQL', async () => {
    const { body } = await ask(app, 'GET', '/api/subscribe_token/list');
    assert.equal(body.total, kept.length);
  });
});
