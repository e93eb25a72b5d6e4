import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readJanusMessage } from '../../../../server/media/janus/janus-message.js';

const read = (message: object) => readJanusMessage(JSON.stringify(message));

describe('a message of Janus', () => {
  it('is read by its kind', () => {
    const plugindata = { plugin: 'janus.plugin.videoroom', data: { videoroom: 'event', configured: 'ok' } };
    const jsep = { type: 'answer', sdp: 'v=0' };
    assert.deepEqual(read({ janus: 'success', transaction: 'a', data: { id: 7 } }), {
      name: 'success',
      transaction: 'a',
      id: 7,
      data: {},
    });
    assert.deepEqual(read({ janus: 'event', transaction: 'a', sender: 5, plugindata, jsep }), {
      name: 'event',
      handle: 5,
      transaction: 'a',
      data: plugindata.data,
      jsep,
    });
    assert.deepEqual(read({ janus: 'error', transaction: 'a', error: { code: 458, reason: 'No such session' } }), {
      name: 'error',
      transaction: 'a',
      code: 458,
      reason: 'No such session',
    });
    assert.deepEqual(read({ janus: 'media', sender: 5, mid: '0', type: 'audio', receiving: true }), {
      name: 'media',
      handle: 5,
      kind: 'audio',
      isReceiving: true,
    });
    assert.deepEqual(read({ janus: 'hangup', sender: 5, reason: 'DTLS alert' }), {
      name: 'hangup',
      handle: 5,
      reason: 'DTLS alert',
    });
  });

  it('is left alone if it is of no known kind, or cannot be read', () => {
    assert.deepEqual(read({ janus: 'slowlink', sender: 5, uplink: true, lost: 3 }), { name: 'other' });
    assert.deepEqual(read({ janus: 'webrtcup' }), { name: 'other' });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (frame) => {
        assert.equal(readJanusMessage(frame).name, 'other');
      }),
    );
  });
});
