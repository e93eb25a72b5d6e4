import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BROWSER_CIPHER, chosenCipher } from '../../../bench/media/srtp-cipher.js';

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const extension = (type: number, data: Buffer) => Buffer.concat([u16(type), u16(data.length), data]);
const record = (type: number, content: Buffer) =>
  Buffer.concat([Buffer.from([type, 0xfe, 0xfd]), Buffer.alloc(8), u16(content.length), content]);

interface HelloParts {
  readonly profile?: number;
  readonly messageType?: number;
  readonly sessionId?: Buffer;
}

/** A record with a ServerHello (RFC 5246 section 7.4.1.3, RFC 6347 section 4.2.2). */
function serverHello({ profile = 1, messageType = 2, sessionId = Buffer.alloc(32, 7) }: HelloParts = {}): Buffer {
  const srtp = extension(14, Buffer.concat([u16(2), u16(profile), Buffer.from([0])]));
  const extensions = Buffer.concat([extension(23, Buffer.alloc(0)), srtp]);
  const body = Buffer.concat([
    Buffer.from([0xfe, 0xfd]),
    Buffer.alloc(32, 9),
    Buffer.from([sessionId.length]),
    sessionId,
    Buffer.from([0xc0, 0x2b, 0]),
    u16(extensions.length),
    extensions,
  ]);
  return record(22, Buffer.concat([Buffer.from([messageType, 0]), u16(body.length), Buffer.alloc(8), body]));
}

describe('the cipher that a handshake chooses', () => {
  it('is read from the ServerHello', () => {
    assert.equal(chosenCipher(serverHello()), BROWSER_CIPHER);
    assert.equal(chosenCipher(serverHello({ profile: 8 })), 'SRTP_AEAD_AES_256_GCM');
  });

  it('is read with a session id of any length, and behind other records of the datagram', () => {
    assert.equal(chosenCipher(serverHello({ sessionId: Buffer.alloc(0) })), BROWSER_CIPHER);
    assert.equal(chosenCipher(Buffer.concat([record(22, Buffer.alloc(40, 1)), serverHello()])), BROWSER_CIPHER);
  });

  it('is unknown from any other message, and from a profile without a name', () => {
    assert.equal(chosenCipher(serverHello({ messageType: 1 })), undefined);
    assert.equal(chosenCipher(serverHello({ profile: 99 })), undefined);
  });

  it('is unknown, without an error, from any bytes and from a part of a ServerHello', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void chosenCipher(Buffer.from(bytes))));
    const hello = serverHello();
    for (let length = 0; length < hello.length - 5; length++) {
      assert.equal(chosenCipher(hello.subarray(0, length)), undefined);
    }
  });
});
