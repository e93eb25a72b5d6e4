import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { CHALLENGE_TTL_MS } from '../../../../server/accounts/passkeys/passkey-challenges.js';
import { MAX_PASSKEYS } from '../../../../server/accounts/passkeys/passkey.js';
import { FAILURES_ALLOWED } from '../../../../server/accounts/failed-attempt-limiter.js';
import { Cleanup } from '../../../support/cleanup.js';
import { SoftwareAuthenticator, type Answering } from '../../../support/software-authenticator.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

type Json = ReturnType<typeof JSON.parse>;
const PASSKEYS = '/api/account/passkeys';
const HOST = 'live.example.com';
const ORIGIN = 'https://live.example.com';

describe('passkeys over HTTP', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  /** The cookie of Anna, a member of the account main. */
  let anna: string;
  let authenticator: SoftwareAuthenticator;

  beforeEach(() => begin({ PUBLIC_URL: ORIGIN }));
  afterEach(() => cleanup.run());

  const begin = async (env: Record<string, string>) => {
    app = await streamServer(cleanup, env);
    anna = await becomeMember(await operatorLogin(), 'Anna');
    authenticator = new SoftwareAuthenticator();
  };

  const call = async (
    method: string,
    path: string,
    { body, ...headers }: { body?: object; cookie?: string; authorization?: string; 'sec-fetch-site'?: string } = {},
  ): Promise<{ status: number; data: Json; setCookie: string }> => {
    const response = await fetch(app.origin + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = JSON.parse(await response.text());
    return { status: response.status, data, setCookie: response.headers.get('set-cookie') ?? '' };
  };
  const cookieOf = (setCookie: string): string => setCookie.split(';', 1)[0]!;
  const operatorLogin = async (account = 'main'): Promise<string> => {
    const code = await app.server.dashboard.createCode(account);
    return cookieOf((await call('POST', '/api/dashboard/login', { body: { code } })).setCookie);
  };
  const becomeMember = async (cookie: string, name: string): Promise<string> => {
    assert.equal((await call('POST', '/api/account/members/self', { cookie, body: { name } })).status, 200);
    return cookie;
  };
  const creationOptions = async (cookie = anna): Promise<Json> =>
    (await call('POST', `${PASSKEYS}/options`, { cookie })).data;
  const add = async (
    answering: Partial<Answering> = {},
    { cookie = anna, device = authenticator, name = 'Phone' } = {},
  ) => {
    const credential = device.create(await creationOptions(cookie), { origin: ORIGIN, ...answering });
    return await call('POST', PASSKEYS, { cookie, body: { name, credential } });
  };
  const requestOptions = async (): Promise<Json> => (await call('POST', '/api/dashboard/passkey/options')).data;
  const answer = (credential: object) => call('POST', '/api/dashboard/passkey', { body: { credential } });
  const signIn = async (answering: Partial<Answering> = {}, device = authenticator) =>
    await answer(device.get(await requestOptions(), { origin: ORIGIN, ...answering }));
  const refusalOf = ({ status, data }: { status: number; data: Json }) => [status, data.code];

  for (const algorithm of ['ES256', 'EdDSA'] as const) {
    it(`sign their member in without a name, with ${algorithm}`, async () => {
      authenticator = new SoftwareAuthenticator(algorithm);
      const added = await add();
      assert.equal(added.status, 200, JSON.stringify(added.data));
      const { status, data, setCookie } = await signIn();
      assert.deepEqual([status, data.accountId, data.memberName], [200, 'main', 'Anna']);
      const cookie = cookieOf(setCookie);
      const session = await call('GET', '/api/dashboard/session', { cookie });
      assert.deepEqual([session.status, session.data.memberName], [200, 'Anna']);
      assert.notEqual(cookieOf((await signIn()).setCookie), cookie);
    });
  }

  it('are asked for with the host name, a verified person, and a challenge of their own', async () => {
    const [creation, request] = [await creationOptions(), await requestOptions()];
    assert.deepEqual([creation.rp.id, creation.user.name, request.rpId], [HOST, 'Anna', HOST]);
    const { residentKey, userVerification } = creation.authenticatorSelection;
    assert.deepEqual([residentKey, userVerification, request.userVerification], ['required', 'required', 'required']);
    assert.equal(request.allowCredentials, undefined);
    assert.notEqual((await requestOptions()).challenge, request.challenge);
  });

  it('are listed, renamed and removed by their member', async () => {
    const { data: added } = await add();
    const fields = { name: 'Phone', host: HOST, synced: false, createdOn: '2030-01-01T00:00:00.000Z' };
    assert.match(added.id, /^pky_[0-9a-f]{12}$/);
    assert.deepEqual(added, { id: added.id, ...fields, lastUsedOn: null });
    await signIn();
    const used = { ...added, lastUsedOn: '2030-01-01T00:00:00.000Z' };
    assert.deepEqual((await call('GET', PASSKEYS, { cookie: anna })).data, [used]);
    const renamed = await call('PUT', `${PASSKEYS}/${added.id}`, { cookie: anna, body: { name: 'Key' } });
    assert.deepEqual(renamed.data, { ...used, name: 'Key' });
    assert.equal((await call('DELETE', `${PASSKEYS}/${added.id}`, { cookie: anna })).data, true);
    assert.deepEqual((await call('GET', PASSKEYS, { cookie: anna })).data, []);
    assert.deepEqual(refusalOf(await signIn()), [401, 'passkey_unknown']);
  });

  it('are named by the audit log, with the login that they began', async () => {
    const { id } = (await add()).data;
    await call('PUT', `${PASSKEYS}/${id}`, { cookie: anna, body: { name: 'Key' } });
    await signIn();
    await call('DELETE', `${PASSKEYS}/${id}`, { cookie: anna });
    const { data } = await call('GET', '/api/audit?itemsOnPage=5', { cookie: anna });
    assert.deepEqual(
      data.map(({ action, target, actor }: Json) => [action, target.kind, actor.name]),
      [
        ['passkey_removed', 'passkey', 'Anna'],
        ['dashboard_opened', 'dashboard_session', undefined],
        ['passkey_changed', 'passkey', 'Anna'],
        ['passkey_added', 'passkey', 'Anna'],
        ['member_added', 'member', undefined],
      ],
    );
    assert.equal(data[1].after.passkey, id);
    assert.equal(data[1].after.name, 'Anna');
  });

  const SIGN_INS: readonly (readonly [name: string, answering: Partial<Answering>, code: string])[] = [
    ['at another origin', { origin: 'https://evil.example' }, 'passkey_site_wrong'],
    ['at the same host without TLS', { origin: `http://${HOST}` }, 'passkey_site_wrong'],
    ['in a frame of another site', { crossOrigin: true }, 'passkey_site_wrong'],
    ['for another host', { host: 'evil.example' }, 'passkey_site_wrong'],
    ['for the domain above', { host: 'example.com' }, 'passkey_site_wrong'],
    ['with a challenge of nobody', { challenge: Buffer.alloc(54, 1).toString('base64url') }, 'passkey_challenge_wrong'],
    ['with an empty challenge', { challenge: '' }, 'passkey_challenge_wrong'],
    ['without a verified person', { verified: false }, 'passkey_wrong'],
    ['in the name of another member', { userHandle: Buffer.from('mem_0').toString('base64url') }, 'passkey_wrong'],
  ];
  for (const [name, answering, code] of SIGN_INS) {
    it(`are refused to sign in ${name}`, async () => {
      await add();
      const refused = await signIn(answering);
      assert.deepEqual([...refusalOf(refused), refused.setCookie], [401, code, '']);
      assert.equal((await signIn()).status, 200);
    });
  }

  it('sign in once by one answer, also if it is sent twice at the same time', async () => {
    await add();
    const credential = authenticator.get(await requestOptions(), { origin: ORIGIN });
    const statuses = (await Promise.all([answer(credential), answer(credential)])).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 401]);
    assert.deepEqual(refusalOf(await answer(credential)), [401, 'passkey_challenge_wrong']);
  });

  it('are refused after the life of the challenge', async () => {
    await add();
    const options = await requestOptions();
    app.clock.now += CHALLENGE_TTL_MS;
    assert.deepEqual(refusalOf(await answer(authenticator.get(options, { origin: ORIGIN }))), [
      401,
      'passkey_challenge_wrong',
    ]);
  });

  it('are refused with a challenge for another purpose or member', async () => {
    await add();
    const { challenge } = await creationOptions();
    assert.deepEqual(refusalOf(await signIn({ challenge })), [401, 'passkey_challenge_wrong']);
    const bert = await becomeMember(await operatorLogin(), 'Bert');
    const device = new SoftwareAuthenticator();
    for (const other of [challenge, (await requestOptions()).challenge]) {
      const refused = await add({ challenge: other }, { cookie: bert, device });
      assert.deepEqual(refusalOf(refused), [400, 'passkey_challenge_wrong']);
    }
  });

  it('are refused with a wrong signature', async () => {
    await add();
    const stranger = new SoftwareAuthenticator();
    const options = await requestOptions();
    const credential = authenticator.get(options, { origin: ORIGIN });
    const forged = stranger.get(options, { origin: ORIGIN }).response.signature;
    const response = { ...credential.response, signature: forged };
    assert.deepEqual(refusalOf(await answer({ ...credential, response })), [401, 'passkey_wrong']);
    assert.deepEqual(refusalOf(await signIn({ userHandle: '' }, stranger)), [400, 'invalid_request']);
    stranger.create(await creationOptions(), { origin: ORIGIN });
    assert.deepEqual(refusalOf(await signIn({}, stranger)), [401, 'passkey_unknown']);
  });

  it('are refused when their counter does not grow', async () => {
    authenticator.counter = 5;
    await add();
    assert.equal((await signIn({ counter: 6 })).status, 200);
    for (const counter of [6, 5, 0]) assert.deepEqual(refusalOf(await signIn({ counter })), [401, 'passkey_wrong']);
    assert.equal((await signIn({ counter: 7 })).status, 200);
  });

  it('are refused when their member was removed', async () => {
    await add();
    const owner = await operatorLogin();
    const [member] = (await call('GET', '/api/account/members', { cookie: owner })).data;
    assert.equal(member.passkeys, 1);
    await call('DELETE', `/api/account/members/${member.id}`, { cookie: owner });
    assert.deepEqual(refusalOf(await signIn()), [401, 'passkey_unknown']);
    assert.deepEqual(refusalOf(await call('GET', PASSKEYS, { cookie: anna })), [401, 'login_required']);
  });

  it('belong to one member: others cannot see, rename, remove or add them', async () => {
    await app.server.accounts.create('other');
    const { id } = (await add()).data;
    for (const account of ['main', 'other']) {
      const bert = await becomeMember(await operatorLogin(account), 'Bert');
      assert.deepEqual((await call('GET', PASSKEYS, { cookie: bert })).data, []);
      const renamed = await call('PUT', `${PASSKEYS}/${id}`, { cookie: bert, body: { name: 'Mine' } });
      assert.deepEqual(refusalOf(renamed), [404, 'passkey_not_found']);
      const removed = await call('DELETE', `${PASSKEYS}/${id}`, { cookie: bert });
      assert.deepEqual(refusalOf(removed), [404, 'passkey_not_found']);
      assert.deepEqual(refusalOf(await add({}, { cookie: bert })), [409, 'passkey_exists']);
    }
    const { data } = await signIn({ userHandle: (await creationOptions()).user.id });
    assert.deepEqual([data.accountId, data.memberName], ['main', 'Anna']);
  });

  const ADDITIONS: readonly (readonly [name: string, answering: Partial<Answering>, code: string])[] = [
    ['at another origin', { origin: 'https://evil.example' }, 'passkey_site_wrong'],
    ['for another host', { host: 'evil.example' }, 'passkey_wrong'],
    ['without a verified person', { verified: false }, 'passkey_wrong'],
    ['with a challenge of nobody', { challenge: 'AAAA' }, 'passkey_challenge_wrong'],
  ];
  for (const [name, answering, code] of ADDITIONS) {
    it(`are not added ${name}`, async () => {
      assert.deepEqual(refusalOf(await add(answering)), [400, code]);
      assert.deepEqual((await call('GET', PASSKEYS, { cookie: anna })).data, []);
    });
  }

  it('are not added twice by one answer', async () => {
    const credential = authenticator.create(await creationOptions(), { origin: ORIGIN });
    const body = { name: 'Phone', credential };
    assert.equal((await call('POST', PASSKEYS, { cookie: anna, body })).status, 200);
    assert.deepEqual(refusalOf(await call('POST', PASSKEYS, { cookie: anna, body })), [400, 'passkey_challenge_wrong']);
    assert.deepEqual(refusalOf(await add()), [409, 'passkey_exists']);
    const [{ id }] = (await creationOptions()).excludeCredentials;
    assert.equal(id, credential.id);
  });

  it('have a limit for each member', async () => {
    for (let count = 0; count < MAX_PASSKEYS; count += 1) await add({}, { device: new SoftwareAuthenticator() });
    assert.deepEqual(refusalOf(await add()), [409, 'passkeys_full']);
  });

  it('are only for members at the dashboard', async () => {
    const authorization = `Bearer ${await app.server.secrets.create('main')}`;
    const operator = await operatorLogin();
    for (const credentials of [{ authorization }, { cookie: operator }]) {
      for (const [method, path] of [
        ['GET', PASSKEYS],
        ['POST', `${PASSKEYS}/options`],
        ['DELETE', `${PASSKEYS}/pky_${'0'.repeat(12)}`],
      ] as const) {
        assert.deepEqual(refusalOf(await call(method, path, credentials)), [403, 'member_required'], path);
      }
    }
    const body = { name: 'Mallory' };
    const join = (headers: object) => call('POST', '/api/account/members/self', { ...headers, body });
    assert.deepEqual(refusalOf(await join({ authorization })), [403, 'person_required']);
    assert.deepEqual(refusalOf(await join({ cookie: anna })), [409, 'already_member']);
  });

  it('refuse answers that pages of other sites send, and those that are no answer', async () => {
    for (const path of ['/api/dashboard/passkey', '/api/dashboard/passkey/options']) {
      const refused = await call('POST', path, { 'sec-fetch-site': 'cross-site', body: {} });
      assert.deepEqual(refusalOf(refused), [403, 'cross_site_refused']);
    }
    const credential = authenticator.get(await requestOptions(), { origin: ORIGIN, userHandle: 'AA' });
    for (const wrong of [{}, { ...credential, type: 'password' }, { ...credential, id: '../' }]) {
      assert.deepEqual(refusalOf(await answer(wrong)), [400, 'invalid_request']);
    }
    for (const text of ['', '{}', '[1', 'null', '{"type":1}']) {
      const clientDataJSON = Buffer.from(text || '\0').toString('base64url');
      const response = { ...credential.response, clientDataJSON };
      assert.deepEqual(refusalOf(await answer({ ...credential, response })), [401, 'passkey_wrong']);
    }
  });

  it('slow down an address after failed attempts', async () => {
    await add();
    for (let count = 0; count < FAILURES_ALLOWED; count += 1) await signIn({ verified: false });
    assert.deepEqual(refusalOf(await signIn({ verified: false })), [429, 'too_many_attempts']);
  });

  it('are for the host of the request where no public URL is set', async () => {
    await cleanup.run();
    await begin({});
    const { origin, hostname } = new URL(app.origin);
    assert.equal((await creationOptions()).rp.id, hostname);
    assert.equal((await add({ origin })).status, 200);
    assert.equal((await signIn({ origin })).status, 200);
    assert.equal((await signIn({ origin: origin.replace('http:', 'https:') })).status, 200);
    assert.deepEqual(refusalOf(await signIn({ origin: ORIGIN })), [401, 'passkey_site_wrong']);
  });
});
