import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ShownSources } from '../../../server/sessions/shown-sources.js';

const mids = { video: '0', audio: '1' };
const video = (mediaId?: string) => [{ kind: 'video' as const, mediaId }];

describe('what a viewer is shown', () => {
  it('is the main source where there is one', () => {
    assert.deepEqual([...new ShownSources(mids, {}).visible(['cam1', null])], [['0', null]]);
  });

  it('is the first of the others where there is no main one', () => {
    assert.deepEqual([...new ShownSources(mids, {}).visible(['cam1', 'cam2'])], [['0', 'cam1']]);
  });

  it('is never an excluded one', () => {
    const shown = new ShownSources(mids, { excludedSourceIds: ['cam1'] });
    assert.deepEqual([...shown.visible(['cam1', 'cam2'])], [['0', 'cam2']]);
    assert.deepEqual([...shown.visible(['cam1'])], []);
  });

  it('is the pinned one and nothing else', () => {
    const shown = new ShownSources(mids, { pinnedSourceId: 'cam2' });
    assert.deepEqual([...shown.visible([null, 'cam1', 'cam2'])], [['0', 'cam2']]);
    assert.deepEqual([...shown.visible([null, 'cam1'])], []);
  });

  it('is what was projected, in place of that and beside it', () => {
    const shown = new ShownSources(mids, {});
    shown.project('cam1', video());
    shown.project('cam2', video('7'));
    assert.deepEqual(
      [...shown.visible([null, 'cam1', 'cam2'])],
      [
        ['0', 'cam1'],
        ['7', 'cam2'],
      ],
    );
    assert.deepEqual([...shown.visible([null, 'cam2'])], [['7', 'cam2']]);
  });

  it('is nothing where it was unprojected, and may be projected again', () => {
    const shown = new ShownSources(mids, {});
    shown.unproject(['0', '7']);
    assert.deepEqual([...shown.visible([null])], []);
    shown.project(null, video('0'));
    assert.deepEqual([...shown.visible([null])], [['0', null]]);
  });

  it('is no video where the viewer takes only sound', () => {
    const shown = new ShownSources({ audio: '0' }, {});
    shown.project('cam1', [{ kind: 'audio', mediaId: '0' }]);
    shown.project('cam1', video());
    assert.deepEqual([...shown.visible([null, 'cam1'])], []);
  });
});
