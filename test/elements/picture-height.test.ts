import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { toPictureHeight } from '../../src/elements/picture-height.js';

const read = (t: TestContext, value: unknown) => {
  const warn = t.mock.method(console, 'warn', () => {});
  const height = toPictureHeight('stream-viewer', 'quality', value);
  return { height, warnings: warn.mock.calls.map(({ arguments: [text] }) => text) };
};

describe('a picture height of a property or an attribute', () => {
  for (const [value, height] of [
    [720, 720],
    ['720', 720],
    ['720p', 720],
    ['1080P', 1080],
    ['auto', 'auto'],
    ['', 'auto'],
    [null, 'auto'],
    [undefined, 'auto'],
  ] as const) {
    it(`of ${JSON.stringify(value)} is ${height}`, (t) => {
      assert.deepEqual(read(t, value), { height, warnings: [] });
    });
  }

  for (const value of ['-720', '720px', '7e2', 'Infinity', '0', 'high', NaN, -1, 7.5, {}]) {
    it(`of ${String(value)} counts as auto`, (t) => assert.equal(read(t, value).height, 'auto'));
  }

  it('causes a warning in the console if it cannot be read', (t) => {
    assert.deepEqual(read(t, 'high').warnings, ['<stream-viewer quality="high"> counts as "auto"']);
  });
});
