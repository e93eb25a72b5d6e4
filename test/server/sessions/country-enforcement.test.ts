import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { signSubscribeToken, type SignedTokenClaims } from '../../../src/management/sign-subscribe-token.js';
import { ConfigError } from '../../../server/config/config-error.js';
import type { TokenFields } from '../../../server/tokens/token-service.js';
import { Cleanup } from '../../support/cleanup.js';
import { countryFile } from '../../support/country-file.js';
import { dataFolder } from '../../support/data-folder.js';
import { askDirector, NOW, openSocket, streamServer, type TestServer } from '../../support/stream-server.js';

const scope = { accountId: 'main', kind: 'subscribe' } as const;
const streams = [{ streamName: 'main', isRegex: false }];

/** The tests call from 127.0.0.1, which the file places in Switzerland. */
describe('a token that lists countries', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let file: string;

  beforeEach(async () => {
    file = join(await dataFolder(cleanup), 'country.mmdb');
    writeFileSync(file, countryFile({ '127.0.0.0/8': 'CH' }));
    app = await streamServer(cleanup, { GEOIP_DB: file });
  });
  afterEach(() => cleanup.run());

  const create = (fields: Partial<TokenFields>) => app.server.tokens.create(scope, { label: '', streams, ...fields });
  const codeFor = async (token: string) => (await askDirector(app, 'subscribe', token)).body.data.code;

  it('admits the allowed countries, and refuses others', async () => {
    assert.equal(await codeFor((await create({ allowedCountries: ['CH', 'LI'] })).token), undefined);
    assert.equal(await codeFor((await create({ allowedCountries: ['AT'] })).token), 'country_not_allowed');
  });

  it('refuses the denied countries, also if they are allowed, and admits others', async () => {
    const both = await create({ allowedCountries: ['CH'], deniedCountries: ['CH'] });
    assert.equal(await codeFor(both.token), 'country_not_allowed');
    assert.equal(await codeFor((await create({ deniedCountries: ['AT'] })).token), undefined);
  });

  it('refuses whoever comes through a proxy, whatever other header they send with it', async () => {
    writeFileSync(file, countryFile({ '203.0.113.0/24': 'RU' }));
    const behind = await streamServer(cleanup, { GEOIP_DB: file, TRUSTED_PROXIES: '127.0.0.1' });
    const { token } = await behind.server.tokens.create(scope, { label: '', streams, deniedCountries: ['RU'] });
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${behind.origin}/api/director/subscribe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
        body: JSON.stringify({ streamName: 'main' }),
      });
      return [response.status, (await response.json()).data.code];
    };
    const refused = [401, 'country_not_allowed'];
    assert.deepEqual(await ask({ 'x-forwarded-for': '203.0.113.7' }), refused);
    for (const forwarded of ['x', '', 'for=unknown', 'for=198.51.100.7']) {
      assert.deepEqual(await ask({ 'x-forwarded-for': '203.0.113.7', forwarded }), refused, forwarded);
      assert.deepEqual(await ask({ forwarded }), refused, forwarded);
    }
    assert.deepEqual(await ask({ 'x-forwarded-for': 'unknown' }), refused);
    assert.deepEqual(await ask({ 'x-forwarded-for': '198.51.100.7', forwarded: 'x' }), [200, undefined]);
  });

  it('ends the sessions from a country that a change refuses', async () => {
    const { id, token } = await create({});
    const viewer = await openSocket(await askDirector(app, 'subscribe', token));
    await app.server.tokens.update(scope, id, { deniedCountries: ['CH'] });
    assert.equal((await viewer.event('stopped')).data.code, 'country_not_allowed');
    assert.equal((await viewer.closed).code, 4010);
  });

  it('lets self-signed tokens allow less, never more', async () => {
    const sign = (parent: { id: number; token: string }, claims: Partial<SignedTokenClaims>) =>
      signSubscribeToken(parent, { streamName: 'main', expires: 60, ...claims }, { now: () => NOW });
    const [all, austrian] = [await create({}), await create({ allowedCountries: ['AT'] })];
    assert.equal(await codeFor(await sign(all, { allowedCountries: ['CH'] })), undefined);
    assert.equal(await codeFor(await sign(all, { allowedCountries: ['AT'] })), 'country_not_allowed');
    assert.equal(await codeFor(await sign(all, { deniedCountries: ['CH'] })), 'country_not_allowed');
    assert.equal(await codeFor(await sign(austrian, { allowedCountries: ['CH'] })), 'country_not_allowed');
  });

  it('explains the verdict with the country of the address', async () => {
    const { id } = await create({ allowedCountries: ['CH'] });
    const secret = await app.server.secrets.create('main');
    const lookedAt = async (ip: string) => {
      const response = await fetch(`${app.origin}/api/explain`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'subscribe', tokenId: id, streamName: 'main', ip }),
      });
      const { data } = JSON.parse(await response.text());
      const { looked_at } = data.rules.find(({ rule }: { rule: string }) => rule === 'country-allowed');
      return [data.reason, looked_at.country];
    };
    assert.deepEqual(await lookedAt('127.0.0.9'), [null, 'CH']);
    assert.deepEqual(await lookedAt('192.0.2.1'), ['country_not_allowed', null]);
  });

  it('is refused by a server without the file, which starts with tokens that have such lists', async () => {
    const { token } = await create({ allowedCountries: ['CH'] });
    const denying = await create({ deniedCountries: ['CH'] });
    await app.server.close();
    app = await streamServer(cleanup, { DATA_DIR: app.dataDir });
    assert.equal(await codeFor(token), 'country_not_allowed');
    assert.equal(await codeFor(denying.token), undefined);
    await assert.rejects(create({ allowedCountries: ['CH'] }), { code: 'unsupported_field' });
    await assert.rejects(app.server.tokens.update(scope, denying.id, { deniedCountries: ['AT'] }), {
      code: 'unsupported_field',
    });
    const { deniedCountries } = await app.server.tokens.update(scope, denying.id, { deniedCountries: null });
    assert.deepEqual(deniedCountries, []);
  });

  it('is not known to a server whose file cannot be read: the server does not start', async () => {
    writeFileSync(file, 'no database');
    await assert.rejects(streamServer(cleanup, { GEOIP_DB: file }), ConfigError);
  });
});
