import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finishNowOf, mustBeSilent, mustBeTaken } from '../../../../server/recording/finish/take-over.js';
import type { RecordingRecord } from '../../../../server/recording/recording-record.js';
import { aRecordedPart, aRecording, RECORDED_ON } from '../../../support/recording.js';

const backup = { key: 'a/part-1.mkv', uploadId: 'u', etags: ['e'] };
const LOST = { nodeId: 'another', state: 'recording', parts: [aRecordedPart({ backup })] } as const;
const REQUEST = { nodeId: 'this', takeOver: true, hasS3: true };

const step = (fields: Partial<RecordingRecord>, request: Partial<typeof REQUEST> = {}) => {
  try {
    return finishNowOf(aRecording({ ...LOST, ...fields }), { ...REQUEST, ...request });
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('a recording that somebody wants to be finished now', () => {
  it('is taken over from a lost server in every state, but not with its file in S3', () => {
    for (const state of ['recording', 'finishing', 'failed', 'ready'] as const) {
      assert.equal(step({ state }), 'take_over', state);
    }
    assert.equal(step({ state: 'ready', location: 's3' }), 'nothing');
  });

  it('is not taken over by itself', () => {
    const by = { takeOver: false };
    assert.equal(step({}, by), 'recording_in_progress');
    assert.equal(step({ state: 'finishing' }, by), 'recording_file_missing');
    assert.equal(step({ state: 'ready' }, by), 'nothing');
  });

  it('is not taken over without a copy, or without S3', () => {
    assert.equal(step({ parts: [aRecordedPart()] }), 'recording_file_missing');
    assert.equal(step({}, { hasS3: false }), 'recording_file_missing');
    assert.equal(step({ parts: [] }), 'recording_not_ready');
  });

  it('is finished where it is, whatever the caller says of another server', () => {
    const own = { nodeId: 'this' };
    assert.equal(step({ ...own, state: 'finishing' }), 'finish');
    assert.equal(step({ ...own, state: 'failed' }), 'finish');
    assert.equal(step({ ...own, state: 'ready' }), 'nothing');
    assert.equal(step(own), 'recording_in_progress');
  });

  it('is left to a server that was running within two minutes', () => {
    assert.throws(() => mustBeSilent(RECORDED_ON, RECORDED_ON + 119_999), { code: 'recording_in_progress' });
    mustBeSilent(RECORDED_ON, RECORDED_ON + 120_000);
    mustBeSilent(undefined, RECORDED_ON);
  });

  it('is missing when another server was faster', () => {
    assert.throws(() => mustBeTaken(undefined), { code: 'recording_file_missing' });
  });
});
