import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../../../../server/cli/run-cli.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { streamServer } from '../../../support/stream-server.js';

describe('streamgate webhook', () => {
  const cleanup = new Cleanup();
  let env: Record<string, string>;

  before(async () => {
    env = { DATA_DIR: await dataFolder(cleanup) };
    await streamServer(cleanup, env);
  });
  after(() => cleanup.run());

  const streamgate = async (...argv: string[]) => {
    const output = { stdout: '', stderr: '' };
    const status = await runCli(['webhook', ...argv], {
      env,
      stdout: (text) => (output.stdout += text),
      stderr: (text) => (output.stderr += text),
    });
    return { status, ...output };
  };
  const add = async (name: string): Promise<number> => {
    const url = `https://${name}.example/`;
    return JSON.parse((await streamgate('add', url, '--event', 'stream.started', '--json')).stdout).data.id;
  };

  it('marks those that cannot be read, and says what to do', async () => {
    const ids = [await add('sound'), await add('key'), await add('row')] as const;
    const sqlite = new DatabaseSync(join(env['DATA_DIR']!, 'streamgate.db'));
    sqlite.prepare(`update webhook set key_sealed = 'damaged' where id = ?`).run(ids[1]);
    sqlite.prepare(`update webhook set url = 'damaged' where id = ?`).run(ids[2]);
    sqlite.close();
    const { status, stdout, stderr } = await streamgate('list');
    assert.equal(status, 0);
    assert.deepEqual(stdout.trim().split('\n'), [
      `${ids[0]}\tactive\thttps://sound.example/\tstream.started`,
      `${ids[1]}\tactive\thttps://key.example/\tstream.started\twebhook_key_unreadable`,
      `${ids[2]}\tactive\t-\tstream.started\tstored_row_unreadable`,
    ]);
    assert.deepEqual(stderr.split('\n'), [
      `${ids[1]}: The signing key of this webhook cannot be read: rotate it`,
      `${ids[2]}: This webhook cannot be read: remove it and create it again`,
    ]);
    const shown = await streamgate('show', String(ids[1]));
    assert.match(shown.stdout, /^signing key\t-$/m);
    assert.match(shown.stdout, /^fault\twebhook_key_unreadable: The signing key .* rotate it$/m);

    await streamgate('rotate', String(ids[1]));
    await streamgate('remove', String(ids[2]));
    const mended = await streamgate('list');
    assert.doesNotMatch(mended.stdout, /unreadable/);
    assert.equal(mended.stderr, '');
  });
});
