import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { opusFromPublisher, opusToViewer } from '../../../../server/media/sdp/opus-parameters.js';

describe('the parameters of Opus in an answer', () => {
  it('ask a publisher for stereo that announces it', () => {
    assert.deepEqual(
      ['sprop-stereo=1;minptime=10', 'sprop-stereo=1;stereo=0', 'sprop-stereo=1;stereo=1'].map(opusFromPublisher),
      ['sprop-stereo=1;minptime=10;stereo=1', 'sprop-stereo=1;stereo=1', 'sprop-stereo=1;stereo=1'],
    );
    assert.deepEqual(['minptime=10', 'sprop-stereo=0', ''].map(opusFromPublisher), [
      'minptime=10',
      'sprop-stereo=0',
      '',
    ]);
  });

  it('announce stereo to a viewer that wants it, and not what the viewer would send', () => {
    assert.deepEqual(
      ['stereo=1;useinbandfec=1', 'stereo=1; Sprop-Stereo =0;;', 'sprop-stereo=1;stereo=0', 'sprop-stereo=1', ''].map(
        opusToViewer,
      ),
      ['stereo=1;useinbandfec=1;sprop-stereo=1', 'stereo=1;sprop-stereo=1', 'stereo=0', '', ''],
    );
  });
});
