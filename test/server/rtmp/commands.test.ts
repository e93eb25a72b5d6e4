import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeAmf0, type AmfValue } from '../../../server/rtmp/amf0.js';
import { readCommand, type RtmpCommand } from '../../../server/rtmp/commands.js';
import { MESSAGE_TYPE } from '../../../server/rtmp/rtmp-message.js';

const message = (payload: Buffer, typeId: number = MESSAGE_TYPE.amf0Command) =>
  ({ typeId, streamId: 0, timestamp: 0, payload }) as const;
const read = (...values: AmfValue[]) => readCommand(message(writeAmf0(...values)));
const connect = new Map<string, AmfValue>([
  ['app', 'v2/pub'],
  ['tcUrl', 'rtmp://a/v2/pub'],
]);

describe('readCommand', () => {
  const cases: [values: AmfValue[], command: RtmpCommand][] = [
    [['connect', 1, connect], { name: 'connect', transactionId: 1, app: 'v2/pub', tcUrl: 'rtmp://a/v2/pub' }],
    [['connect', 1, new Map()], { name: 'connect', transactionId: 1, app: '', tcUrl: '' }],
    [['connect', 1, new Map([['app', 7]])], { name: 'connect', transactionId: 1, app: '', tcUrl: '' }],
    [['releaseStream', 2, null, 'a'], { name: 'releaseStream', transactionId: 2 }],
    [['FCPublish', 3, null, 'a'], { name: 'FCPublish', transactionId: 3 }],
    [['createStream', 4, null], { name: 'createStream', transactionId: 4 }],
    [['publish', 5, null, 'a?token=b', 'live'], { name: 'publish', transactionId: 5, streamKey: 'a?token=b' }],
    [['FCUnpublish', 6, null, 'a'], { name: 'FCUnpublish', transactionId: 6 }],
    [['deleteStream', 7, null, 1], { name: 'deleteStream' }],
    [['closeStream', 0, null], { name: 'closeStream' }],
    [['play', 8, null, 'a'], { name: 'play' }],
    [['play2', 8, null, new Map()], { name: 'play' }],
    [['_checkbw', 9, null], { name: 'other', transactionId: 9 }],
    [['_result'], { name: 'other', transactionId: 0 }],
  ];
  for (const [values, command] of cases) {
    it(`reads ${String(values[0])} with ${values.length - 1} values`, () => {
      assert.deepEqual(read(...values), { ok: true, command });
    });
  }

  it('reads a command of AMF3, which is AMF0 after a byte', () => {
    const payload = Buffer.concat([Buffer.of(0), writeAmf0('createStream', 4, null)]);
    assert.deepEqual(readCommand(message(payload, MESSAGE_TYPE.amf3Command)), {
      ok: true,
      command: { name: 'createStream', transactionId: 4 },
    });
  });

  for (const [what, values] of [
    ['without values', []],
    ['without a name', [7, 1]],
    ['whose transaction id is no number', ['connect', 'one']],
    ['connect without an object', ['connect', 1, null]],
    ['publish without a stream key', ['publish', 5, null]],
  ] as const) {
    it(`refuses a command ${what}`, () => {
      const result = read(...values);
      assert.equal(!result.ok && result.fault.reason, 'command_invalid');
    });
  }

  it('refuses what is no AMF', () => {
    const result = readCommand(message(Buffer.of(0x11)));
    assert.equal(!result.ok && result.fault.reason, 'amf_invalid');
  });
});
