import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actionsOf } from '../../../../src/pages/dashboard/recordings/recording-row.js';
import type { RecordingBody } from '../../../../src/wire/management/recording.js';

const recording: RecordingBody = {
  id: 'a'.repeat(22),
  kind: 'broadcast',
  streamName: 'keynote',
  sourceId: null,
  tokenId: 7,
  state: 'ready',
  fault: null,
  startedOn: '2026-11-20T18:00:00.000Z',
  endedOn: '2026-11-20T19:02:03.000Z',
  durationSeconds: 3_723,
  bytes: 1_234,
  videoCodec: 'h264',
  audioCodec: 'opus',
  width: 1_920,
  height: 1_080,
  container: 'mp4',
  hasRewind: true,
  expiresOn: null,
};
const actions = (change: Partial<RecordingBody> = {}) => actionsOf({ ...recording, ...change });

describe('a recording in the list', () => {
  it('can be played, shared and cut when its file is ready', () => {
    assert.deepEqual(actions(), ['play', 'download', 'link', 'cut', 'keep', 'delete']);
  });

  it('can be kept, and not deleted, while it is being made', () => {
    assert.deepEqual(actions({ state: 'recording', container: null }), ['keep']);
  });

  it('can be tried again when its file could not be made of what there is', () => {
    const failed = { state: 'failed', container: null, fault: 'finish_failed' } as const;
    assert.deepEqual(actions(failed), ['finish', 'keep', 'delete']);
    assert.deepEqual(actions({ ...failed, bytes: 0 }), ['keep', 'delete']);
  });

  it('can only be deleted when it cannot be read', () => {
    assert.deepEqual(actions({ state: 'failed', container: null, bytes: 0, fault: 'stored_row_unreadable' }), [
      'delete',
    ]);
  });
});
