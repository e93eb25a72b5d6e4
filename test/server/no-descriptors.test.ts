import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
/** Of a process: some are needed to load its modules. */
const LIMIT = 128;
/** For a busy machine: each scenario starts one or two processes. */
const TIMEOUT_MS = 60_000;
const CANNOT_FORK = /^the media engine did not start: spawn \S+ EMFILE$/;

async function withoutDescriptors(scenario: string): Promise<string> {
  const script = `ulimit -n ${LIMIT}; exec "$@"`;
  const loader = join(ROOT, 'scripts/load-typescript.js');
  const main = join(ROOT, 'test/support/no-descriptors.ts');
  const args = ['-c', script, 'sh', process.execPath, '--import', loader, main, scenario];
  const { stdout } = await promisify(execFile)('sh', args, { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
  return stdout;
}

describe('a server that has no file descriptor left', () => {
  it('goes on without the sound of an encoder, and says why', async () => {
    assert.equal(await withoutDescriptors('sound'), 'ffmpeg cannot be started: no file descriptor is left');
  });

  it('makes no JPEG of a picture, and says why', async () => {
    assert.equal(await withoutDescriptors('still'), 'ffmpeg cannot be started: no file descriptor is left');
  });

  it('starts the recorder when there are some again', async () => {
    assert.equal(await withoutDescriptors('recorder'), 'it runs');
  });

  it('stops, although its recorder could not be started', async () => {
    assert.equal(await withoutDescriptors('closing'), 'it is closed');
  });

  it('says at once that the media engine cannot be started, and why', async () => {
    assert.match(await withoutDescriptors('media'), CANNOT_FORK);
  });

  it('starts the media engine again when there are some again', async () => {
    assert.match(await withoutDescriptors('deadMedia'), CANNOT_FORK);
  });
});
