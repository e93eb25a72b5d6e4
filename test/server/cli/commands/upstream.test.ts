import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../../../../server/cli/run-cli.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { streamServer } from '../../../support/stream-server.js';

describe('streamgate upstream', () => {
  const cleanup = new Cleanup();
  let env: Record<string, string>;

  before(async () => {
    env = { DATA_DIR: await dataFolder(cleanup) };
    await streamServer(cleanup, env);
  });
  after(() => cleanup.run());

  const streamgate = async (...argv: string[]) => {
    const output = { stdout: '', stderr: '' };
    const status = await runCli(['upstream', ...argv], {
      env,
      stdout: (text) => (output.stdout += text),
      stderr: (text) => (output.stderr += text),
    });
    return { status, ...output };
  };
  const set = (...more: string[]) =>
    streamgate(
      'set',
      '--software',
      'mediamtx',
      '--publish-url',
      'https://mtx.example/{name}/whip',
      '--view-url',
      'https://mtx.example/{name}/whep',
      '--status-url',
      'https://api.mtx.example/{name}',
      ...more,
    );

  it('sets one with tokens from files, keeps them, and never prints them', async () => {
    const file = join(env['DATA_DIR']!, 'token');
    await writeFile(file, 'secret-token\n');
    const first = await set('--publish-token-file', file, '--view-token-file', file);
    assert.deepEqual(first.stdout.split('\n').slice(0, 6), [
      'stream\t(all)',
      'software\tmediamtx',
      'publish\thttps://mtx.example/{name}/whip',
      'view\thttps://mtx.example/{name}/whep',
      'status\thttps://api.mtx.example/{name}',
      'tokens\tpublish,view',
    ]);
    const changed = await set('--view-token-file', '');
    assert.match(changed.stdout, /^tokens\tpublish$/m);
    const { stdout } = await streamgate('list');
    assert.equal(stdout.trim(), '(all)\tmediamtx\thttps://mtx.example/{name}/whip\thttps://mtx.example/{name}/whep');
    assert.equal(
      (first.stdout + changed.stdout + (await streamgate('list', '--json')).stdout).includes('secret-token'),
      false,
    );
  });

  it('removes that of one stream, or of all, and says which is missing', async () => {
    await set();
    await set('--stream', 'show');
    assert.equal((await streamgate('remove', '--stream', 'show')).status, 0);
    assert.equal((await streamgate('remove')).status, 0);
    const again = await streamgate('remove');
    assert.notEqual(again.status, 0);
    assert.match(again.stderr, /no upstream for all streams/);
  });

  it('marks one that cannot be read, and says what to do', async () => {
    await set();
    await set('--stream', 'damaged');
    const sqlite = new DatabaseSync(join(env['DATA_DIR']!, 'streamgate.db'));
    sqlite.prepare(`update account_upstream set settings_sealed = 'damaged' where stream_name = 'damaged'`).run();
    sqlite.close();
    const { status, stdout, stderr } = await streamgate('list');
    assert.equal(status, 0);
    assert.deepEqual(stdout.trim().split('\n'), [
      '(all)\tmediamtx\thttps://mtx.example/{name}/whip\thttps://mtx.example/{name}/whep',
      'damaged\t-\t-\t-\tstored_row_unreadable',
    ]);
    assert.match(stderr, /^damaged: .*set it again, or remove it$/);
    await streamgate('remove', '--stream', 'damaged');
    assert.equal((await streamgate('list')).stderr, '');
    await streamgate('remove');
  });

  it('refuses an address of a private network, and one that a name could lead elsewhere', async () => {
    assert.match((await set('--stream', 'a', '--status-url', 'http://10.0.0.1/')).stderr, /private network/);
    assert.match((await set('--status-url', 'https://{name}.example/')).stderr, /http or https URL/);
  });
});
