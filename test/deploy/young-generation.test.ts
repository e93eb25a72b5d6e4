import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readText } from '../support/deploy.js';
import { NODE_FLAGS } from '../support/server-process.js';

/** Where the server is started, beside the first line of its own file, which `npx streamgate` follows. */
const STARTS = {
  'package.json': /"start": "node (\S+) scripts\/start\.ts"/,
  'deploy/docker/Dockerfile':
    /ENTRYPOINT \["tini", "--", "node", "(\S+)", "\/opt\/streamgate\/server\/bin\/streamgate\.js"\]/,
  'deploy/systemd/streamgate.service': /^ExecStart=\/usr\/bin\/node (\S+) node_modules\/@streamgate\/server\/bin/m,
};

describe('the young generation of the heap of the server', () => {
  it('is limited, because V8 keeps what the start took', () => {
    assert.match(NODE_FLAGS.join(' '), /^--max-semi-space-size=\d+$/);
  });

  for (const [file, start] of Object.entries(STARTS)) {
    it(`is the same in ${file}`, () => {
      const [, ...flags] = start.exec(readText(file)) ?? [];
      assert.deepEqual(flags, NODE_FLAGS);
    });
  }
});
