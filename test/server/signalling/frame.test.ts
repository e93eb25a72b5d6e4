import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { errorFrame, parseFrame } from '../../../server/signalling/frame.js';

describe('readFrame', () => {
  it('reads a command', () => {
    assert.deepEqual(parseFrame('{"type":"cmd","transId":3,"name":"view","data":{"sdp":"v=0"}}'), {
      ok: true,
      command: { type: 'cmd', transId: 3, name: 'view', data: { sdp: 'v=0' } },
    });
  });

  it('reads a command without number and data, as some native clients send it', () => {
    assert.equal(parseFrame('{"type":"cmd","name":"unpublish"}').ok, true);
  });

  it('says that a frame is not JSON', () => {
    assert.deepEqual(parseFrame('hello'), { ok: false, transId: null, message: 'the frame is not JSON' });
  });

  it('answers to the number of a frame that is no command', () => {
    const reading = parseFrame('{"type":"cmd","transId":9}');
    assert.equal(reading.ok === false && reading.transId, 9);
  });

  it('reads anything without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.equal(typeof parseFrame(text).ok, 'boolean');
      }),
    );
  });
});

describe('errorFrame', () => {
  it('carries the sentence where native clients read a string, and the code beside it', () => {
    assert.deepEqual(JSON.parse(errorFrame(1, 'invalid_sdp', 'not an offer')), {
      type: 'error',
      transId: 1,
      data: 'not an offer',
      code: 'invalid_sdp',
    });
  });
});
