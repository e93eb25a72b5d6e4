import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ShownSources } from '../../../server/sessions/shown-sources.js';

const mids = { video: '0', audio: '1' };
const video = (mediaId?: string) => [{ kind: 'video' as const, mediaId }];

describe('ShownSources', () => {
  it('shows the main source if it is live', () => {
    assert.deepEqual([...new ShownSources(mids, {}).visible(['cam1', null])], [['0', null]]);
  });

  it('shows the first other source if there is no main source', () => {
    assert.deepEqual([...new ShownSources(mids, {}).visible(['cam1', 'cam2'])], [['0', 'cam1']]);
  });

  it('never shows an excluded source', () => {
    const shown = new ShownSources(mids, { excludedSourceIds: ['cam1'] });
    assert.deepEqual([...shown.visible(['cam1', 'cam2'])], [['0', 'cam2']]);
    assert.deepEqual([...shown.visible(['cam1'])], []);
  });

  it('shows only the pinned source', () => {
    const shown = new ShownSources(mids, { pinnedSourceId: 'cam2' });
    assert.deepEqual([...shown.visible([null, 'cam1', 'cam2'])], [['0', 'cam2']]);
    assert.deepEqual([...shown.visible([null, 'cam1'])], []);
  });

  it('shows a projected source on the main m-line and on others', () => {
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

  it('shows nothing after unproject, until the next project', () => {
    const shown = new ShownSources(mids, {});
    shown.unproject(['0', '7']);
    assert.deepEqual([...shown.visible([null])], []);
    shown.project(null, video('0'));
    assert.deepEqual([...shown.visible([null])], [['0', null]]);
  });

  it('shows what it showed at first after an automatic project, and a successor', () => {
    const shown = new ShownSources(mids, { excludedSourceIds: ['cam1'] });
    shown.project('cam1', video());
    shown.unproject(['0']);
    shown.project(undefined, video());
    assert.deepEqual([...shown.visible(['cam1', 'cam2', 'cam3'])], [['0', 'cam2']]);
    assert.deepEqual([...shown.visible(['cam1', 'cam3'])], [['0', 'cam3']]);
    assert.deepEqual([...shown.visible(['cam1'])], []);
  });

  it('shows no video if the viewer receives only audio', () => {
    const shown = new ShownSources({ audio: '0' }, {});
    shown.project('cam1', [{ kind: 'audio', mediaId: '0' }]);
    shown.project('cam1', video());
    assert.deepEqual([...shown.visible([null, 'cam1'])], []);
  });
});
