import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient, ManagementError } from '../../src/management.js';
import { Cleanup } from '../support/cleanup.js';
import { managementApp, type ManagementApp } from '../support/management-app.js';

const errorOf = async (call: Promise<unknown>): Promise<ManagementError> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof ManagementError) return error;
    throw error;
  }
  return assert.fail('it succeeded');
};

describe('ManagementClient', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;
  let client: ManagementClient;

  beforeEach(async () => {
    app = await managementApp(cleanup);
    client = new ManagementClient({ endpoint: `${app.origin}/`, secret: app.secret });
  });
  afterEach(() => cleanup.run());

  it('takes a secret that was pasted with white space around it', async () => {
    const pasted = new ManagementClient({ endpoint: app.origin, secret: `\n${app.secret} ` });
    assert.equal((await pasted.publishTokens.list()).total, 0);
  });

  it('creates, gets, changes, lists and deletes tokens of both kinds', async () => {
    for (const calls of [client.publishTokens, client.subscribeTokens]) {
      const made = await calls.create({ label: 'a', streams: [{ streamName: 'main' }] });
      assert.deepEqual(made.streams, [{ streamName: 'main', isRegex: false }]);
      assert.deepEqual(await calls.get(made.Id), made);
      assert.equal((await calls.update(made.Id, { isActive: false })).isActive, false);
      const page = await calls.list({ itemsOnPage: 1, sortBy: 'AddedOn', isDescending: true });
      assert.deepEqual([page.tokens.length, page.total, page.page, page.itemsOnPage], [1, 1, 1, 1]);
      await calls.delete(made.Id);
      assert.equal((await calls.list()).total, 0);
    }
  });

  it('changes the version of a token that was read, and no other', async () => {
    const read = await client.subscribeTokens.create({ label: 'a' });
    const changed = await client.subscribeTokens.update(read.id, { label: 'b' }, { ifMatch: read.etag });
    const { code, status } = await errorOf(
      client.subscribeTokens.update(read.id, { label: 'c' }, { ifMatch: read.etag }),
    );
    assert.deepEqual([code, status], ['etag_mismatch', 412]);
    assert.deepEqual(await client.subscribeTokens.get(read.id), changed);
  });

  it('blocks an address on a token of either kind, once, and unblocks it', async () => {
    for (const calls of [client.publishTokens, client.subscribeTokens]) {
      const { id } = await calls.create({ deniedIpAddresses: ['192.0.2.1'] });
      const both = ['192.0.2.1', '2001:db8:1:2::/64'];
      assert.deepEqual((await calls.blockAddress(id, '2001:db8:1:2::/64')).deniedIpAddresses, both);
      const again = await calls.blockAddress(id, '2001:db8:1:2::/64');
      assert.deepEqual([again.deniedIpAddresses, again], [both, await calls.get(id)]);
      assert.deepEqual((await calls.unblockAddress(id, '192.0.2.9')).deniedIpAddresses, both);
      assert.deepEqual((await calls.unblockAddress(id, '192.0.2.1')).deniedIpAddresses, both.slice(1));
    }
  });

  /** A client during whose next changes somebody else changes the token, `times` times. */
  const racingClient = (id: number, times: number) => {
    let left = times;
    return new ManagementClient({
      endpoint: app.origin,
      secret: app.secret,
      fetch: async (input, init) => {
        if (init?.method === 'PUT' && left > 0) {
          left -= 1;
          await client.subscribeTokens.update(id, { deniedIpAddresses: [`192.0.2.${left}`] });
        }
        return await fetch(input, init);
      },
    });
  };

  it('keeps what somebody else blocks at the same time', async () => {
    const { id } = await client.subscribeTokens.create({});
    const { deniedIpAddresses } = await racingClient(id, 1).subscribeTokens.blockAddress(id, '::1');
    assert.deepEqual(deniedIpAddresses, ['192.0.2.0', '::1']);
  });

  it('blocks nothing if somebody else changes the token again and again', async () => {
    const { id } = await client.subscribeTokens.create({});
    const { code } = await errorOf(racingClient(id, 2).subscribeTokens.blockAddress(id, '::1'));
    assert.equal(code, 'etag_mismatch');
    assert.deepEqual((await client.subscribeTokens.get(id)).deniedIpAddresses, ['192.0.2.0']);
  });

  it('throws for an endpoint without a scheme', () => {
    assert.throws(
      () => new ManagementClient({ endpoint: 'live.example.com' }),
      new TypeError('The endpoint "live.example.com" has no scheme. Write "https://live.example.com".'),
    );
  });

  it('does not find a publish token among subscribe tokens', async () => {
    const made = await client.publishTokens.create({ subscribeRequiresAuth: true });
    assert.equal(made.subscribeRequiresAuth, true);
    const { code, status } = await errorOf(client.subscribeTokens.get(made.Id));
    assert.deepEqual([code, status], ['token_not_found', 404]);
  });

  it('throws with the errors of each field', async () => {
    const wrong = { streams: [{ streamName: '[', isRegex: true }] };
    const { code, status, errors, message } = await errorOf(client.subscribeTokens.create(wrong));
    assert.deepEqual([code, status, Object.keys(errors)], ['invalid_pattern', 400, ['streams.0.streamName']]);
    assert.match(message, /missing closing \]/);
  });

  it('throws if the secret is missing or wrong', async () => {
    const none = new ManagementClient({ endpoint: app.origin });
    assert.equal((await errorOf(none.publishTokens.list())).code, 'secret_missing');
    const wrong = new ManagementClient({ endpoint: app.origin, secret: 'sg_x' });
    assert.equal((await errorOf(wrong.publishTokens.list())).code, 'secret_wrong');
  });

  it('logs in with a code, and works with the cookie of the browser', async () => {
    let cookie = '';
    const browser = new ManagementClient({
      endpoint: app.origin,
      fetch: async (input, init) => {
        const response = await fetch(input, { ...init, headers: { ...init?.headers, cookie } });
        cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie;
        return response;
      },
    });
    assert.equal((await errorOf(browser.session())).code, 'login_required');
    const { accountId, memberName } = await browser.login(await app.dashboard.createCode('acme'));
    assert.deepEqual([accountId, memberName], ['acme', null]);
    assert.equal((await browser.session()).accountId, 'acme');
    assert.equal((await browser.publishTokens.list()).total, 0);
    const before = cookie;
    await browser.logout();
    cookie = before;
    assert.equal((await errorOf(browser.publishTokens.list())).code, 'login_required');
  });

  describe('with another server at the address', () => {
    const answering = (body: string, status = 200) =>
      new ManagementClient({ endpoint: 'http://x.test', fetch: async () => new Response(body, { status }) });

    it('throws unreachable where nothing answers', async () => {
      const cause = new TypeError('fetch failed');
      const unreachable = new ManagementClient({ endpoint: 'http://x.test', fetch: () => Promise.reject(cause) });
      const error = await errorOf(unreachable.publishTokens.list());
      assert.deepEqual([error.code, error.status, error.cause], ['unreachable', 0, cause]);
    });

    for (const [what, body, status] of [
      ['a page', '<html>', 200],
      ['an error page', '<html>', 502],
      ['JSON of another kind', '{"status":"success","data":[{"id":"1"}]}', 200],
      ['a refusal of another kind', '{"error":"no"}', 403],
    ] as const) {
      it(`throws malformed_answer for ${what}`, async () => {
        const error = await errorOf(answering(body, status).publishTokens.list());
        assert.deepEqual([error.code, error.status], ['malformed_answer', status]);
      });
    }

    it('throws malformed_answer in WebKit, where the error of response.json() is a DOMException', async (t) => {
      const page = new Response('<html>');
      t.mock.method(page, 'json', () => Promise.reject(new DOMException('not JSON', 'SyntaxError')));
      const client = new ManagementClient({ endpoint: 'http://x.test', fetch: async () => page });
      assert.equal((await errorOf(client.publishTokens.list())).code, 'malformed_answer');
    });

    it('throws unreachable where the answer breaks off', async () => {
      const cut = (): Response =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('{"status":"suc'));
              controller.error(new TypeError('network error'));
            },
          }),
        );
      const client = new ManagementClient({ endpoint: 'http://x.test', fetch: async () => cut() });
      const error = await errorOf(client.publishTokens.list());
      assert.deepEqual(
        [error.code, error.status, error.message],
        ['unreachable', 0, 'the answer of the server broke off'],
      );
    });

    it('throws the code of a fault of the server', async () => {
      const fault = '{"status":"error","message":"broken","code":"internal","data":null}';
      const error = await errorOf(answering(fault, 500).publishTokens.list());
      assert.deepEqual([error.code, error.status, error.message], ['internal', 500, 'broken']);
    });

    it('throws refused for a refusal without a code', async () => {
      const error = await errorOf(answering('{"status":"fail","data":{"message":"no"}}', 403).publishTokens.list());
      assert.deepEqual([error.code, error.message], ['refused', 'no']);
    });
  });
});
