import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import { forkModule, moduleBeside } from '../../server/child-process.js';
import { FfmpegProcess } from '../../server/ingest/rtmp/transcoders/ffmpeg-process.js';
import { workerSandbox } from '../../server/media/embedded/worker/worker-sandbox.js';
import { jpegOf } from '../../server/media/still/jpeg.js';
import { processSandbox } from '../../server/process-sandbox.js';
import { SupervisedProcess } from '../../server/recording/supervised-process.js';

const ROOT = join(import.meta.dirname, '../..');
const PROBE = moduleBeside('../support/environment-probe', import.meta);
const SECRETS = ['ENCRYPTION_KEY', 'DATABASE_URL', 'RECORDINGS_S3_SECRET_ACCESS_KEY', 'SOMETHING_OF_THE_OPERATOR'];
const SECRET = 'a value that no child may know';

interface Told {
  readonly type: 'environment';
  readonly environment: Readonly<Record<string, string>>;
}

describe('a child process', () => {
  beforeEach(() => {
    for (const name of SECRETS) process.env[name] = SECRET;
  });
  afterEach(() => {
    for (const name of SECRETS) delete process.env[name];
  });

  const knowsNoSecret = (environment: string): void => {
    assert.match(environment, /PATH/, 'it tells its environment');
    assert.ok(!environment.includes(SECRET), environment);
    for (const name of SECRETS) assert.ok(!environment.includes(name), environment);
  };

  /** A program in place of ffmpeg that writes its environment. */
  async function program(t: TestContext): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'program-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'ffmpeg');
    await writeFile(path, '#!/bin/sh\nenv\n');
    await chmod(path, 0o755);
    return path;
  }

  it('that makes a JPEG knows no secret of the server', async (t) => {
    const still = { type: 'image/webp', bytes: Buffer.from('') } as const;
    knowsNoSecret(String(await jpegOf(await program(t), still)));
  });

  it('that transcodes knows no secret of the server', async (t) => {
    let environment = '';
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const transcoder = new FfmpegProcess({
      ffmpeg: await program(t),
      args: [],
      maxWaitingBytes: 1,
      onOutput: (chunk) => {
        environment += String(chunk);
        if (environment.includes('PATH')) resolve(environment);
      },
      onEnd: resolve,
    });
    t.after(() => transcoder.close());
    await ended;
    knowsNoSecret(environment);
  });

  for (const [name, sandbox] of [
    ['carries media', workerSandbox(undefined)],
    ['carries media without its sandbox', undefined],
  ] as const) {
    it(`that ${name} knows no secret of the server`, async (t) => {
      const child = forkModule(PROBE, {
        sandbox: sandbox && { flags: [...sandbox.flags, `--allow-fs-read=${PROBE}`] },
      });
      t.after(() => child.kill('SIGKILL'));
      const [told]: Told[] = await once(child, 'message');
      knowsNoSecret(JSON.stringify(told!.environment));
    });
  }

  it('that records or packages knows no secret of the server', async (t) => {
    const { flags } = processSandbox({ folders: [tmpdir()] });
    const child = new SupervisedProcess<{ type: 'close' }, Told>({
      name: 'recorder',
      file: PROBE,
      sandbox: { flags: [...flags, `--allow-fs-read=${PROBE}`] },
      onLog: () => {},
      closeTimeoutMs: 0,
    });
    t.after(() => child.close());
    const message = once(child, 'message');
    child.start();
    const [told]: Told[] = await message;
    knowsNoSecret(JSON.stringify(told!.environment));
  });

  it('is started in one place, which chooses its environment', async () => {
    const starts: string[] = [];
    for (const file of globSync('server/**/*.ts', { cwd: ROOT })) {
      if (/node_modules|dist/.test(file)) continue;
      const text = await readFile(join(ROOT, file), 'utf8');
      if (/^import \{[^}]*\b(?:spawn|fork|exec\w*)\b[^}]*\} from 'node:child_process'/m.test(text)) starts.push(file);
    }
    // The second one asks `ps` for the parent of this process, and the third one tells systemd that it is ready.
    const parent = 'server/parent-process';
    assert.deepEqual(starts.toSorted(), [
      'server/child-process.ts',
      `${parent}/process-table.ts`,
      `${parent}/service-manager.ts`,
    ]);
    for (const file of starts) assert.match(await readFile(join(ROOT, file), 'utf8'), /env: childEnvironment\(/);
  });
});
