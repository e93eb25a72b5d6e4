import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { StandstillError } from '../../scripts/test-run/standstill.ts';
import { WebKitBrowser } from './webkit-browser.ts';

test('a page whose main thread waits for ever fails the call that asks it, and not as a test', async () => {
  const server = createServer(({ url }, response) => {
    if (url === '/') response.end('<!doctype html><title>page</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = await WebKitBrowser.launch({ standstillMs: 4_000 });
  try {
    await browser.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await browser.title()).toBe('page');
    const wait = (): void => {
      const request = new XMLHttpRequest();
      request.open('GET', '/never', false);
      request.send();
    };
    await expect(browser.evaluate(wait, undefined)).rejects.toThrow(StandstillError);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
});
