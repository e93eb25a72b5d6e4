import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

describe('a token restricted to addresses', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const ask = async ({ origin }: TestServer, token: string, headers: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify({ streamName: 'main', streamAccountId: 'main' }),
    });
    const { data } = (await answer.json()) as { data: { code?: string } };
    return data.code ?? 'admitted';
  };

  it('uses the address that a trusted proxy forwards', async () => {
    const app = await streamServer(cleanup, { TRUSTED_PROXIES: '127.0.0.1' });
    const token = await app.token('subscribe', { allowedIpAddresses: ['198.51.100.0/24', '2001:db8::/32'] });
    for (const headers of [
      { 'x-forwarded-for': '198.51.100.7' },
      { 'x-forwarded-for': '9.9.9.9, 198.51.100.7' },
      // The proxy passed it on from the client.
      { 'x-forwarded-for': '198.51.100.7', forwarded: 'for=9.9.9.9' },
    ]) {
      assert.equal(await ask(app, token, headers), 'admitted', JSON.stringify(headers));
    }
    for (const headers of [
      {},
      { 'x-forwarded-for': '198.51.100.7, 9.9.9.9' },
      { 'x-forwarded-for': '198.51.100.7, garbage' },
      { forwarded: 'for=198.51.100.7' },
      { forwarded: 'for=unknown' },
    ]) {
      assert.equal(await ask(app, token, headers), 'address_not_allowed', JSON.stringify(headers));
    }
  });

  it('uses the header that CLIENT_ADDRESS_HEADER names, and no other', async () => {
    const app = await streamServer(cleanup, { TRUSTED_PROXIES: '127.0.0.1', CLIENT_ADDRESS_HEADER: 'forwarded' });
    const token = await app.token('subscribe', { allowedIpAddresses: ['2001:db8::/32'] });
    assert.equal(await ask(app, token, { forwarded: 'for="[2001:db8::7]:4711"' }), 'admitted');
    assert.equal(await ask(app, token, { 'x-forwarded-for': '2001:db8::7' }), 'address_not_allowed');
  });

  it('ignores the headers of an untrusted peer, and logs one warning', async () => {
    const app = await streamServer(cleanup);
    const token = await app.token('subscribe', { allowedIpAddresses: ['198.51.100.7'] });
    for (let time = 0; time < 2; time += 1) {
      assert.equal(await ask(app, token, { 'x-forwarded-for': '198.51.100.7' }), 'address_not_allowed');
    }
    assert.equal(app.log.text.match(/TRUSTED_PROXIES/g)?.length, 1);
  });
});
