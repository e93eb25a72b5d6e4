import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { signSubscribeToken } from '../../../src/management/sign-subscribe-token.js';
import type { TokenFields } from '../../../server/tokens/token-service.js';
import { Cleanup } from '../../support/cleanup.js';
import { askDirector, NOW, openSocket, streamServer, type TestServer } from '../../support/stream-server.js';

const streams = [{ streamName: 'main', isRegex: false }];

/** The tests call from 127.0.0.1. */
describe('a token that denies addresses', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const create = (kind: 'publish' | 'subscribe', fields: Partial<TokenFields> = {}) =>
    app.server.tokens.create({ accountId: 'main', kind }, { label: '', streams, ...fields });
  const deny = (kind: 'publish' | 'subscribe', id: number, ...deniedIpAddresses: string[]) =>
    app.server.tokens.update({ accountId: 'main', kind }, id, { deniedIpAddresses });
  const codeFor = async (token: string) => (await askDirector(app, 'subscribe', token)).body.data.code;

  for (const kind of ['publish', 'subscribe'] as const) {
    it(`ends the sessions from an address that a change denies, and keeps others (${kind})`, async () => {
      const { id, token } = await create(kind);
      const client = await openSocket(await askDirector(app, kind, token));
      await deny(kind, id, '192.0.2.66');
      await deny(kind, id, '192.0.2.66', '127.0.0.0/8');
      assert.equal((await client.event('stopped')).data.code, 'address_denied');
      assert.equal((await client.closed).code, 4010);
      assert.equal((await askDirector(app, kind, token)).body.data.code, 'address_denied');
      await deny(kind, id, '192.0.2.66');
      assert.equal((await askDirector(app, kind, token)).body.data.code, undefined);
    });
  }

  it('denies them to the tokens that were signed with it, and to the sessions of those', async () => {
    const parent = await create('subscribe');
    const sign = (deniedIpAddresses: string[]) =>
      signSubscribeToken(parent, { streamName: 'main', expires: 60, deniedIpAddresses }, { now: () => NOW });
    assert.equal(await codeFor(await sign(['127.0.0.1'])), 'address_denied');
    const signed = await sign(['192.0.2.66']);
    const viewer = await openSocket(await askDirector(app, 'subscribe', signed));
    await deny('subscribe', parent.id, '127.0.0.1');
    assert.equal((await viewer.event('stopped')).data.code, 'address_denied');
    assert.equal(await codeFor(signed), 'address_denied');
  });
});
