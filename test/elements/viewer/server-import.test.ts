import assert from 'node:assert/strict';
import { it } from 'node:test';

it('can be imported on a server, which has no DOM', async () => {
  const { StreamViewerElement } = await import('../../../src/elements/viewer/stream-viewer-element.js');
  assert.equal(typeof StreamViewerElement, 'function');
  assert.ok(StreamViewerElement.observedAttributes.includes('stream-name'));
});
