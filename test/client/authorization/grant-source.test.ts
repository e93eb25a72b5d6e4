import assert from 'node:assert/strict';
import { it } from 'node:test';
import { GrantSource } from '../../../src/client/authorization/grant-source.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

it('has less time for the director just after a session, because a kept connection may lead to a hung server', async (t) => {
  const browser = new FakeBrowser(t);
  const { timeout } = AbortSignal;
  const limits: number[] = [];
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    limits.push(ms / 1000);
    return timeout.call(AbortSignal, ms);
  });
  const grants = new GrantSource('subscribe', {
    endpoint: 'http://fake.test',
    accountId: 'acme',
    streamName: 'keynote',
  });
  const { signal } = new AbortController();
  const request = async () => {
    const refused = grants.request(signal, async () => ({}));
    await (browser.isUp ? refused : assert.rejects(refused));
  };
  browser.isUp = false;
  await request();
  await request();
  browser.isUp = true;
  await request();
  browser.isUp = false;
  for (let attempt = 0; attempt < 4; attempt += 1) await request();
  assert.deepEqual(limits, [15, 15, 15, 5, 10, 15, 15]);
});
