import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { RestTokens } from '../../../support/rest-tokens.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

/** Creates tokens with the management API and uses them at the director. */
describe('restricted tokens', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let tokens: RestTokens;

  beforeEach(async () => {
    app = await streamServer(cleanup, { TRUSTED_PROXIES: '127.0.0.1' });
    tokens = new RestTokens(app.origin, await app.server.secrets.create('main'));
  });
  afterEach(() => cleanup.run());

  /** The status and error code for a viewer of `main` with this token, address and origin. */
  const outcomeFor = async (token: string, address: string, origin?: string, streamName = 'main'): Promise<string> => {
    const response = await fetch(`${app.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'x-forwarded-for': address,
        ...(origin && { origin }),
      },
      body: JSON.stringify({ streamName }),
    });
    const { status, data } = await response.json();
    return status === 'success' ? 'admitted' : `${response.status} ${data.code}`;
  };

  const createToken = (fields: object) =>
    tokens.create('subscribe_token', { streams: [{ streamName: 'main' }], ...fields });

  it('bind the first addresses that use them, and no others', async () => {
    const { Token } = await createToken({ bindIpsOnUsage: 2 });
    assert.equal(await outcomeFor(Token, '192.0.2.1'), 'admitted');
    assert.equal(await outcomeFor(Token, '192.0.2.2'), 'admitted');
    assert.equal(await outcomeFor(Token, '192.0.2.3'), '401 address_not_bound');
  });

  it('admit a viewer with a bound address as often as they reconnect', async () => {
    const { Token } = await createToken({ bindIpsOnUsage: 1 });
    for (let visit = 0; visit < 3; visit += 1) assert.equal(await outcomeFor(Token, '192.0.2.1'), 'admitted');
    assert.equal(await outcomeFor(Token, '192.0.2.2'), '401 address_not_bound');
  });

  it('bind the /64 of an IPv6 address', async () => {
    const { Token } = await createToken({ bindIpsOnUsage: 1 });
    assert.equal(await outcomeFor(Token, '2001:db8:1:2::1'), 'admitted');
    assert.equal(await outcomeFor(Token, '2001:db8:1:2:ffff::9'), 'admitted');
    assert.equal(await outcomeFor(Token, '2001:db8:1:3::1'), '401 address_not_bound');
  });

  it('bind no address of a refused viewer', async () => {
    const { Token } = await createToken({ bindIpsOnUsage: 1 });
    assert.equal(await outcomeFor(Token, '192.0.2.1', undefined, 'another'), '401 stream_not_permitted');
    assert.equal(await outcomeFor(Token, '192.0.2.2'), 'admitted');
  });

  it('never bind more addresses than allowed, however many viewers connect at once', async () => {
    const { Id, Token } = await createToken({ bindIpsOnUsage: 3 });
    const words = await Promise.all(Array.from({ length: 40 }, (_, i) => outcomeFor(Token, `192.0.2.${i + 1}`)));
    assert.equal(words.filter((word) => word === 'admitted').length, 3);
    const { boundIps } = await tokens.get('subscribe_token', Id);
    assert.equal(boundIps.length, 3);
  });

  it('can be created with only bindIpsOnUsage, and show each bound address with its time', async () => {
    const { Id } = await tokens.create('subscribe_token', { bindIpsOnUsage: 1 });
    const { Token } = await tokens.update('subscribe_token', Id, { addTokenStreams: [{ streamName: 'main' }] });
    await outcomeFor(Token, '192.0.2.1');
    const { boundIps, allowedIpAddresses } = await tokens.get('subscribe_token', Id);
    assert.deepEqual(boundIps, [{ address: '192.0.2.1', boundOn: new Date(app.clock.now).toISOString() }]);
    assert.deepEqual(allowedIpAddresses, ['192.0.2.1']);
  });

  it('lose their bindings by bindIpsOnUsage 0 with updateAllowedIpAddresses []', async () => {
    const { Id, Token } = await createToken({ bindIpsOnUsage: 1 });
    await outcomeFor(Token, '192.0.2.1');
    await tokens.update('subscribe_token', Id, { bindIpsOnUsage: 0, updateAllowedIpAddresses: [] });
    assert.equal(await outcomeFor(Token, '192.0.2.2'), 'admitted');
    assert.deepEqual((await tokens.get('subscribe_token', Id)).boundIps, []);
  });

  it('accept an update of only allowedOrigins, which changes nothing else', async () => {
    const { Id, Token } = await createToken({ label: 'guests' });
    const record = await tokens.update('subscribe_token', Id, { allowedOrigins: ['example.com'] });
    assert.deepEqual([record['label'], record['streams']], ['guests', [{ streamName: 'main', isRegex: false }]]);
    assert.equal(await outcomeFor(Token, '192.0.2.1', 'https://example.com'), 'admitted');
    assert.equal(await outcomeFor(Token, '192.0.2.1', 'https://example.com.evil.test'), '401 origin_not_allowed');
    assert.equal(await outcomeFor(Token, '192.0.2.1'), '401 origin_not_allowed');
  });

  it('accept an update of only subscribeRequiresAuth', async () => {
    const { Id } = await tokens.create('publish_token', { streams: [{ streamName: 'main' }] });
    const record = await tokens.update('publish_token', Id, { subscribeRequiresAuth: true });
    assert.equal(record['subscribeRequiresAuth'], true);
  });

  it('permit every name with the pattern .*', async () => {
    const { Token } = await tokens.create('subscribe_token', { streams: [{ streamName: '.*', isRegex: true }] });
    assert.equal(await outcomeFor(Token, '192.0.2.1', undefined, 'whatever/it is'), 'admitted');
  });

  it('accept ranges of addresses', async () => {
    const { Token } = await createToken({ allowedIpAddresses: ['192.0.2.0/24', '2001:db8::/32'] });
    assert.equal(await outcomeFor(Token, '192.0.2.200'), 'admitted');
    assert.equal(await outcomeFor(Token, '::ffff:192.0.2.200'), 'admitted');
    assert.equal(await outcomeFor(Token, '2001:db8:ffff::1'), 'admitted');
    assert.equal(await outcomeFor(Token, '198.51.100.1'), '401 address_not_allowed');
    assert.equal(await outcomeFor(Token, 'garbage'), '401 address_not_allowed');
  });

  it('refuse denied addresses and ranges, also if they are allowed', async () => {
    const { Token } = await createToken({
      allowedIpAddresses: ['192.0.2.0/24', '2001:db8::/32'],
      deniedIpAddresses: ['192.0.2.200', '2001:db8:1:2::/64'],
    });
    assert.equal(await outcomeFor(Token, '192.0.2.201'), 'admitted');
    assert.equal(await outcomeFor(Token, '192.0.2.200'), '401 address_denied');
    assert.equal(await outcomeFor(Token, '::ffff:192.0.2.200'), '401 address_denied');
    assert.equal(await outcomeFor(Token, '2001:db8:1:2:ffff::1'), '401 address_denied');
    assert.equal(await outcomeFor(Token, '2001:db8:1:3::1'), 'admitted');
    assert.equal(await outcomeFor(Token, 'garbage'), '401 address_denied');
  });

  it('bind no denied address', async () => {
    const { Id, Token } = await createToken({ bindIpsOnUsage: 1, deniedIpAddresses: ['192.0.2.66'] });
    assert.equal(await outcomeFor(Token, '192.0.2.66'), '401 address_denied');
    assert.equal(await outcomeFor(Token, '192.0.2.1'), 'admitted');
    const { allowedIpAddresses, deniedIpAddresses } = await tokens.get('subscribe_token', Id);
    assert.deepEqual([allowedIpAddresses, deniedIpAddresses], [['192.0.2.1'], ['192.0.2.66']]);
  });
});
