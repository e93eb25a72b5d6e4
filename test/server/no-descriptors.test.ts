import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
/** Of a process: some are needed to load its modules. */
const LIMIT = 128;
const CANNOT_FORK = /^the media engine did not start: spawn \S+ EMFILE$/;

describe('a server that has no file descriptor left', () => {
  let results: Readonly<Record<string, string>>;

  before(async () => {
    const script = `ulimit -n ${LIMIT}; exec "$@"`;
    const loader = join(ROOT, 'scripts/load-typescript.js');
    const args = [
      '-c',
      script,
      'sh',
      process.execPath,
      '--import',
      loader,
      join(ROOT, 'test/support/no-descriptors.ts'),
    ];
    results = JSON.parse((await promisify(execFile)('sh', args)).stdout);
  });

  it('goes on without the sound of an encoder, and says why', () => {
    assert.equal(results['sound'], 'ffmpeg cannot be started: no file descriptor is left');
  });

  it('makes no JPEG of a picture, and says why', () => {
    assert.equal(results['still'], 'ffmpeg cannot be started: no file descriptor is left');
  });

  it('starts the recorder when there are some again', () => {
    assert.equal(results['recorder'], 'it runs');
  });

  it('stops, although its recorder could not be started', () => {
    assert.equal(results['closing'], 'it is closed');
  });

  it('says at once that the media engine cannot be started, and why', () => {
    assert.match(results['media']!, CANNOT_FORK);
  });

  it('starts the media engine again when there are some again', () => {
    assert.match(results['deadMedia']!, CANNOT_FORK);
  });
});
