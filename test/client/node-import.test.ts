import assert from 'node:assert/strict';
import { it } from 'node:test';

for (const entry of ['index', 'define', 'elements', 'react', 'i18n/de', 'cdn', 'wire']) {
  it(`can be imported in Node: ${entry}`, async () => {
    assert.ok(await import(`../../src/${entry}.js`));
  });
}

it('a viewer in Node fails with webrtc_missing when it starts', async () => {
  const { Viewer } = await import('../../src/index.js');
  const viewer = new Viewer();
  const failed = new Promise<void>((resolve) =>
    viewer.addEventListener('phasechange', () => viewer.phase.name === 'failed' && resolve()),
  );
  viewer.start({ endpoint: 'http://127.0.0.1:9', streamName: 'keynote', accountId: 'acme' });
  await failed;
  assert.ok(viewer.phase.name === 'failed' && viewer.phase.error.code === 'webrtc_missing');
});
