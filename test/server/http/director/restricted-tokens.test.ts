import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { RestTokens } from '../../../support/rest-tokens.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

/** From the request of whoever asks for it to the answer at the door, over HTTP. */
describe('tokens that are restricted', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let tokens: RestTokens;

  beforeEach(async () => {
    app = await streamServer(cleanup, { TRUSTED_PROXIES: '127.0.0.1' });
    tokens = new RestTokens(app.origin, await app.server.secrets.create('main'));
  });
  afterEach(() => cleanup.run());

  /** The word the door has for a viewer of `main` who comes with the token from an address, and from a page. */
  const door = async (token: string, address: string, origin?: string, streamName = 'main'): Promise<string> => {
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

  const aToken = (fields: object) => tokens.create('subscribe_token', { streams: [{ streamName: 'main' }], ...fields });

  it('bind the first addresses that use them, and no more', async () => {
    const { Token } = await aToken({ bindIpsOnUsage: 2 });
    assert.equal(await door(Token, '192.0.2.1'), 'admitted');
    assert.equal(await door(Token, '192.0.2.2'), 'admitted');
    assert.equal(await door(Token, '192.0.2.3'), '401 address_not_bound');
  });

  it('let a bound viewer reconnect and refresh as often as he likes', async () => {
    const { Token } = await aToken({ bindIpsOnUsage: 1 });
    for (let visit = 0; visit < 3; visit += 1) assert.equal(await door(Token, '192.0.2.1'), 'admitted');
    assert.equal(await door(Token, '192.0.2.2'), '401 address_not_bound');
  });

  it('count an IPv6 viewer as his /64', async () => {
    const { Token } = await aToken({ bindIpsOnUsage: 1 });
    assert.equal(await door(Token, '2001:db8:1:2::1'), 'admitted');
    assert.equal(await door(Token, '2001:db8:1:2:ffff::9'), 'admitted');
    assert.equal(await door(Token, '2001:db8:1:3::1'), '401 address_not_bound');
  });

  it('give no place to somebody who is refused', async () => {
    const { Token } = await aToken({ bindIpsOnUsage: 1 });
    assert.equal(await door(Token, '192.0.2.1', undefined, 'another'), '401 stream_not_permitted');
    assert.equal(await door(Token, '192.0.2.2'), 'admitted');
  });

  it('never bind more than their number, however many come at once', async () => {
    const { Id, Token } = await aToken({ bindIpsOnUsage: 3 });
    const words = await Promise.all(Array.from({ length: 40 }, (_, i) => door(Token, `192.0.2.${i + 1}`)));
    assert.equal(words.filter((word) => word === 'admitted').length, 3);
    const { boundIps } = await tokens.get('subscribe_token', Id);
    assert.equal(boundIps.length, 3);
  });

  it('can be made with only bindIpsOnUsage, and show what they bound with its time', async () => {
    const { Id } = await tokens.create('subscribe_token', { bindIpsOnUsage: 1 });
    const { Token } = await tokens.update('subscribe_token', Id, { addTokenStreams: [{ streamName: 'main' }] });
    await door(Token, '192.0.2.1');
    const { boundIps, allowedIpAddresses } = await tokens.get('subscribe_token', Id);
    assert.deepEqual(boundIps, [{ address: '192.0.2.1', boundOn: new Date(app.clock.now).toISOString() }]);
    assert.deepEqual(allowedIpAddresses, ['192.0.2.1']);
  });

  it('are let go of by bindIpsOnUsage 0 with updateAllowedIpAddresses []', async () => {
    const { Id, Token } = await aToken({ bindIpsOnUsage: 1 });
    await door(Token, '192.0.2.1');
    await tokens.update('subscribe_token', Id, { bindIpsOnUsage: 0, updateAllowedIpAddresses: [] });
    assert.equal(await door(Token, '192.0.2.2'), 'admitted');
    assert.deepEqual((await tokens.get('subscribe_token', Id)).boundIps, []);
  });

  it('take an update with only allowedOrigins, and leave the rest as it was', async () => {
    const { Id, Token } = await aToken({ label: 'guests' });
    const record = await tokens.update('subscribe_token', Id, { allowedOrigins: ['example.com'] });
    assert.deepEqual([record['label'], record['streams']], ['guests', [{ streamName: 'main', isRegex: false }]]);
    assert.equal(await door(Token, '192.0.2.1', 'https://example.com'), 'admitted');
    assert.equal(await door(Token, '192.0.2.1', 'https://example.com.evil.test'), '401 origin_not_allowed');
    assert.equal(await door(Token, '192.0.2.1'), '401 origin_not_allowed');
  });

  it('take an update with only subscribeRequiresAuth', async () => {
    const { Id } = await tokens.create('publish_token', { streams: [{ streamName: 'main' }] });
    const record = await tokens.update('publish_token', Id, { subscribeRequiresAuth: true });
    assert.equal(record['subscribeRequiresAuth'], true);
  });

  it('permit any name by the pattern .*', async () => {
    const { Token } = await tokens.create('subscribe_token', { streams: [{ streamName: '.*', isRegex: true }] });
    assert.equal(await door(Token, '192.0.2.1', undefined, 'whatever/it is'), 'admitted');
  });

  it('hold to ranges of addresses', async () => {
    const { Token } = await aToken({ allowedIpAddresses: ['192.0.2.0/24', '2001:db8::/32'] });
    assert.equal(await door(Token, '192.0.2.200'), 'admitted');
    assert.equal(await door(Token, '::ffff:192.0.2.200'), 'admitted');
    assert.equal(await door(Token, '2001:db8:ffff::1'), 'admitted');
    assert.equal(await door(Token, '198.51.100.1'), '401 address_not_allowed');
    assert.equal(await door(Token, 'garbage'), '401 address_not_allowed');
  });
});
