import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  readSource,
  selectedSource,
  withoutSource,
  withSource,
  type StreamSource,
} from '../../../src/client/viewer/sources.js';

const main: StreamSource = { sourceId: null, kinds: ['video', 'audio'] };
const camera: StreamSource = { sourceId: 'cam1', kinds: ['video'] };
const stage: StreamSource = { sourceId: 'cam2', kinds: ['video'] };

describe('the sources of a stream', () => {
  it('are read from their events, the main one without an id', () => {
    const tracks = [{ trackId: '0', media: 'video' }];
    assert.deepEqual(readSource({ sourceId: 'cam1', tracks }), camera);
    assert.deepEqual(readSource({ sourceId: null }), { sourceId: null, kinds: ['audio', 'video'] });
    assert.deepEqual(readSource(undefined), { sourceId: null, kinds: ['audio', 'video'] });
  });

  it('keep their order after a change', () => {
    const muted = { ...camera, kinds: [] };
    assert.deepEqual(withSource([camera, stage], muted), [muted, stage]);
    assert.deepEqual(withSource([camera], stage), [camera, stage]);
    assert.deepEqual(withoutSource([camera, stage], 'cam1'), [stage]);
    assert.deepEqual(withoutSource([camera], null), [camera]);
  });

  it('are selected in this order: the wanted one, the main one, the first one', () => {
    assert.equal(selectedSource([camera, stage, main], 'cam2'), stage);
    assert.equal(selectedSource([camera, main], 'gone'), main);
    assert.equal(selectedSource([camera, main]), main);
    assert.equal(selectedSource([camera, stage]), camera);
    assert.equal(selectedSource([camera, main], null), main);
    assert.equal(selectedSource([]), undefined);
  });
});
