import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { toolPath } from '../../scripts/tools.js';
import { SERVER_BUSY_TIMEOUT_MS } from '../../server/store/sqlite/sqlite-database.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { readText } from '../support/deploy.js';

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, '../../deploy/systemd');
const UNIT = 'deploy/systemd/streamgate.service';

/** The values of a setting of the unit, in order. */
const settingsOf = (name: string): string[] =>
  [...readText(UNIT).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

describe('the unit of systemd', () => {
  const cleanup = new Cleanup();
  before(() => toolPath('systemd'));
  afterEach(() => cleanup.run());

  /** The unit with the Node of this test. */
  const unitFile = async () => {
    const file = join(await dataFolder(cleanup), 'streamgate.service');
    await writeFile(file, readText(UNIT).replace('/usr/bin/node', process.execPath));
    return file;
  };

  it('is understood by systemd, with every setting', async () => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', await unitFile()]);
    assert.equal(`${stdout}${stderr}`, '');
  });

  it('exposes little, by the measure of systemd', async () => {
    // Fails above the threshold, which is in tenths.
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=35', await unitFile()]);
  });

  it('may listen to port 443, and may do nothing else that root may do', () => {
    assert.deepEqual(settingsOf('AmbientCapabilities'), ['CAP_NET_BIND_SERVICE']);
    assert.deepEqual(settingsOf('CapabilityBoundingSet'), ['CAP_NET_BIND_SERVICE']);
    assert.deepEqual(settingsOf('User'), ['streamgate']);
  });

  it('leaves the media processes running while the server waits for its clients', () => {
    assert.deepEqual(settingsOf('KillMode'), ['mixed']);
    assert.ok(Number(settingsOf('TimeoutStopSec')[0]) >= 30);
  });

  it('starts a server again that hangs, and waits for one that waits for its database', () => {
    assert.deepEqual(settingsOf('Type'), ['notify']);
    assert.deepEqual(settingsOf('NotifyAccess'), ['all']);
    assert.deepEqual(settingsOf('TimeoutStartSec'), ['infinity']);
    assert.deepEqual(settingsOf('WatchdogSignal'), ['SIGKILL']);
    assert.deepEqual(settingsOf('Restart'), ['always']);
    // A write of another process may hold up the loop for five seconds, with SQLite.
    const seconds = Number(settingsOf('WatchdogSec')[0]);
    assert.ok(seconds >= 4 * (SERVER_BUSY_TIMEOUT_MS / 1_000) && seconds <= 60, `${seconds}`);
  });

  it('has the user that its file for systemd-sysusers creates', async () => {
    const root = await dataFolder(cleanup);
    await mkdir(join(root, 'etc'));
    for (const name of ['passwd', 'group']) await copyFile(`/etc/${name}`, join(root, 'etc', name));
    await run('systemd-sysusers', [`--root=${root}`, join(FOLDER, 'streamgate.sysusers')]);
    assert.match(await readFile(join(root, 'etc/passwd'), 'utf8'), /^streamgate:.*:\/var\/lib\/streamgate:/m);
  });
});

describe('the command line for the user of the service', () => {
  it('runs what the service runs, with its user, folder and variables', () => {
    const script = readText('deploy/systemd/streamgate');
    for (const name of ['User', 'WorkingDirectory', 'EnvironmentFile', 'UMask']) {
      assert.ok(script.includes(` --property=${name}=${settingsOf(name)[0]} `), name);
    }
    for (const variable of settingsOf('Environment')) assert.ok(script.includes(` --setenv=${variable} `), variable);
    assert.ok(script.includes(`-- ${settingsOf('ExecStart')[0]} "$@"`));
  });

  it('is a script that the shell can read and the owner can run', async () => {
    accessSync(join(FOLDER, 'streamgate'), constants.X_OK);
    await run('sh', ['-n', join(FOLDER, 'streamgate')]);
  });
});
