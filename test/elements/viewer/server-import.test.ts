import assert from 'node:assert/strict';
import { it } from 'node:test';

it('lets a server read the code of the tag, where there is no DOM to make it of', async () => {
  const { StreamViewerElement } = await import('../../../src/elements/viewer/stream-viewer-element.js');
  assert.equal(typeof StreamViewerElement, 'function');
  assert.ok(StreamViewerElement.observedAttributes.includes('stream-name'));
});
