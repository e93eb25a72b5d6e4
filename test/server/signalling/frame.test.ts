import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { errorFrame, parseFrame } from '../../../server/signalling/frame.js';

describe('parseFrame', () => {
  it('parses a command', () => {
    assert.deepEqual(parseFrame('{"type":"cmd","transId":3,"name":"view","data":{"sdp":"v=0"}}'), {
      ok: true,
      command: { type: 'cmd', transId: 3, name: 'view', data: { sdp: 'v=0' } },
    });
  });

  it('parses a command without transId and data, as some native clients send it', () => {
    assert.equal(parseFrame('{"type":"cmd","name":"unpublish"}').ok, true);
  });

  it('refuses a frame that is not JSON', () => {
    assert.deepEqual(parseFrame('hello'), { ok: false, transId: null, message: 'the frame is not JSON' });
  });

  for (const frame of [
    'null',
    '7',
    '[]',
    '{}',
    '{"type":"cmd"}',
    '{"type":"event","name":"a"}',
    '{"type":"cmd","name":7}',
  ])
    it(`refuses ${frame}`, () => assert.equal(parseFrame(frame).ok, false));

  it('refuses a transId that is no number, because clients compare numbers', () => {
    assert.equal(parseFrame('{"type":"cmd","transId":"1","name":"view"}').ok, false);
  });

  it('returns the transId of a frame that is not a command', () => {
    const parsed = parseFrame('{"type":"cmd","transId":9}');
    assert.equal(parsed.ok === false && parsed.transId, 9);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.equal(typeof parseFrame(text).ok, 'boolean');
      }),
    );
  });
});

describe('errorFrame', () => {
  it('has the message where native clients read a string, and the code beside it', () => {
    assert.deepEqual(JSON.parse(errorFrame(1, 'invalid_sdp', 'not an offer')), {
      type: 'error',
      transId: 1,
      data: 'not an offer',
      code: 'invalid_sdp',
    });
  });
});
