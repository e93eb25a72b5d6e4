import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { signSubscribeToken } from '../../../../src/management/sign-subscribe-token.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { runStreamgate } from '../../../support/run-streamgate.js';

describe('streamgate explain, without a secret', () => {
  const cleanup = new Cleanup();
  let env: Record<string, string>;

  beforeEach(async () => {
    env = { DATA_DIR: await dataFolder(cleanup) };
    await json('account', 'create', 'main');
  });
  afterEach(() => cleanup.run());

  const json = async (...argv: string[]) => {
    const { status, stdout } = await runStreamgate(env, ...argv, '--json');
    return { exit: status, ...JSON.parse(stdout).data };
  };
  const made = (...argv: string[]) => json('token', 'create', ...argv);

  it('explains a request by the id and by the value of a token, from the data folder', async () => {
    const { Id, Token } = await made('subscribe', '--stream', 'keynote', '--ip', '192.0.2.7');
    for (const token of [
      ['--token-id', String(Id)],
      ['--token', Token],
    ]) {
      const admitted = await json('explain', 'subscribe', 'keynote', ...token, '--ip', '192.0.2.7');
      assert.deepEqual([admitted.exit, admitted.allowed], [0, true]);
      const refused = await json('explain', 'subscribe', 'keynote', ...token, '--ip', '192.0.2.8');
      assert.deepEqual([refused.exit, refused.reason], [3, 'address_not_allowed']);
      const elsewhere = await json('explain', 'subscribe', 'other', ...token, '--ip', '192.0.2.7');
      assert.deepEqual([elsewhere.exit, elsewhere.reason], [3, 'stream_not_permitted']);
    }
  });

  it('explains a request with a self-signed token by the token that signed it', async () => {
    const parent = await made('subscribe', '--stream', 'keynote');
    const claims = { streamName: 'keynote', expires: 60, allowedIpAddresses: ['192.0.2.7'] };
    const token = await signSubscribeToken({ id: parent.Id, token: parent.Token }, claims);
    const answer = await json('explain', 'subscribe', 'keynote', '--token', token, '--ip', '192.0.2.8');
    assert.deepEqual([answer.exit, answer.reason], [3, 'address_not_allowed']);
    await json('token', 'disable', String(parent.Id));
    const disabled = await json('explain', 'subscribe', 'keynote', '--token', token);
    assert.deepEqual([disabled.exit, disabled.reason], [3, 'token_disabled']);
  });

  it('binds no address to the token it explains', async () => {
    const { Id } = await made('subscribe', '--stream', 'keynote', '--bind', '1');
    for (const ip of ['192.0.2.7', '192.0.2.8']) {
      assert.equal((await json('explain', 'subscribe', 'keynote', '--token-id', String(Id), '--ip', ip)).allowed, true);
    }
  });

  it('reports that it does not know who is live', async () => {
    const { status, stdout, stderr } = await runStreamgate(env, 'explain', 'subscribe', 'keynote');
    assert.equal(status, 3);
    assert.match(stdout, /\nrefused: stream_not_live\n$/);
    assert.match(stderr, /does not know who is live.*\n.*STREAMGATE_SECRET/);
    assert.equal((await json('explain', 'subscribe', 'keynote')).liveState, 'unknown');
  });

  it('does not find tokens of another account, and requires --account', async () => {
    await json('account', 'create', 'other');
    const { Id, Token } = await made('subscribe', '--account', 'other', '--stream', 'keynote');
    assert.equal((await json('explain', 'subscribe', 'keynote')).code, 'account_ambiguous');
    const asMain = ['explain', 'subscribe', 'keynote', '--account', 'main'];
    assert.equal((await json(...asMain, '--token-id', String(Id))).code, 'token_not_found');
    assert.equal((await json(...asMain, '--token', Token)).reason, 'token_unknown');
  });

  it('refuses invalid arguments', async () => {
    const { exit, code } = await json('explain', 'subscribe', 'keynote', '--ip', '1.2');
    assert.deepEqual([exit, code], [1, 'invalid_request']);
  });
});
