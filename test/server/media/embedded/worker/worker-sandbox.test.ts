import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { forkModule, moduleBeside } from '../../../../../server/child-process.js';
import { createEmbeddedEngine } from '../../../../../server/media/embedded/embedded-engine.js';
import { workerSandbox } from '../../../../../server/media/embedded/worker/worker-sandbox.js';
import type { EngineLogEntry } from '../../../../../server/media/embedded/worker/engine-log-entry.js';
import { mediaProcesses } from '../../../../e2e/support/media-processes.js';
import { startServer } from '../../../../support/server-process.js';
import type { SandboxAttempt } from '../../../../support/media/sandbox-probe.js';

const PROBE = moduleBeside('../../../../support/media/sandbox-probe', import.meta);

async function folder(t: TestContext, name: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), name));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

/** A process in the sandbox of a media worker. It may also read its own module, which is a test's. */
async function openSandbox(t: TestContext) {
  const sockets = await folder(t, 'sockets-');
  const { flags } = workerSandbox(sockets);
  const probe = forkModule(PROBE, { sandbox: { flags: [...flags, `--allow-fs-read=${PROBE}`] } });
  t.after(() => probe.kill('SIGKILL'));
  const attempt = async (action: SandboxAttempt['action'], subject: string): Promise<unknown> => {
    probe.send({ action, subject } satisfies SandboxAttempt);
    const [result] = await once(probe, 'message');
    return result;
  };
  return { attempt, sockets };
}

const DENIED = 'ERR_ACCESS_DENIED';

describe('the sandbox of a media worker', () => {
  it('hides the data folder, wherever it is', async (t) => {
    const { attempt } = await openSandbox(t);
    for (const parent of [tmpdir(), process.cwd()]) {
      const data = await mkdtemp(join(parent, 'data-'));
      t.after(() => rm(data, { recursive: true }));
      await writeFile(join(data, 'encryption.key'), 'secret');
      assert.equal(await attempt('read', join(data, 'encryption.key')), DENIED);
      assert.equal(await attempt('write', join(data, 'streamgate.db')), DENIED);
    }
  });

  it('has no files but the code, and the folder of its sockets to write into', async (t) => {
    const { attempt, sockets } = await openSandbox(t);
    assert.equal(await attempt('read', '/etc/passwd'), DENIED);
    assert.equal(await attempt('read', `/proc/${process.pid}/environ`), DENIED);
    assert.equal(await attempt('write', PROBE), DENIED);
    assert.equal(await attempt('write', join(sockets, 'one')), 'allowed');
  });

  it('has no programs and no threads', async (t) => {
    const { attempt } = await openSandbox(t);
    assert.equal(await attempt('spawn', process.execPath), DENIED);
    assert.equal(await attempt('thread', PROBE), DENIED);
  });
});

/** The command line of a process. */
const commandOf = (pid: number): string =>
  execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });

/** Whether a path that a flag permits (`/code/*`) is this folder, above it or below it. */
const concerns = (permitted: string, folder: string): boolean => {
  const prefix = permitted.replace(/\*$/, '');
  return prefix.startsWith(folder) || folder.startsWith(prefix);
};

describe('the processes of the media engine', () => {
  async function open(t: TestContext, options: { readonly sandboxed?: boolean }) {
    const log: EngineLogEntry[] = [];
    const onLog = (entry: EngineLogEntry): void => void log.push(entry);
    const engine = await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0, onLog, ...options });
    t.after(() => engine.close());
    return { commands: engine.workers.map(({ pid }) => commandOf(pid!)), log };
  }
  const warnings = (log: readonly EngineLogEntry[]) =>
    log.flatMap(({ level, message }) => (level === 'warn' && /sandbox/.test(message) ? [message] : []));

  it('run in the sandbox', async (t) => {
    const { commands, log } = await open(t, {});
    assert.match(commands[0]!, / --permission /);
    assert.deepEqual(warnings(log), []);
  });

  it('run in a sandbox without the data folder when the server is built', async (t) => {
    const server = await startServer({ MEDIA_WORKERS: '1' });
    t.after(() => server.stop());
    const [pid] = mediaProcesses(server).values();
    const permitted = [...commandOf(pid!).matchAll(/ --allow-fs-(?:read|write)=(\S+)/g)].map(([, path]) => path!);
    assert.ok(permitted.length > 2, 'it may read its code');
    assert.deepEqual(
      permitted.filter((path) => concerns(path, server.dataDir)),
      [],
    );
  });

  it('run without it if the operator says so, which the log shows', async (t) => {
    const { commands, log } = await open(t, { sandboxed: false });
    assert.doesNotMatch(commands[0]!, / --permission /);
    assert.deepEqual(warnings(log), ['the media engine runs without its sandbox']);
  });
});
