import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Handshake } from '../../../server/rtmp/handshake.js';
import { C0_C1, C2, S0_S1_S2_BYTES } from './fake-encoder.js';

const random = Buffer.alloc(1528, 0x5a);
const EMPTY = Buffer.alloc(0);

describe('the handshake', () => {
  it('answers C0 and C1 with S0, S1 and S2', () => {
    const { send, rest } = new Handshake(random).read(C0_C1, 7);
    const time = Buffer.of(0, 0, 0, 7);
    const echo = Buffer.concat([C0_C1.subarray(1, 5), time, C0_C1.subarray(9)]);
    assert.deepEqual(send, Buffer.concat([Buffer.of(3), time, Buffer.alloc(4), random, echo]));
    assert.equal(rest, undefined);
  });

  it('ends with C2, and returns the bytes after it', () => {
    const handshake = new Handshake(random);
    handshake.read(C0_C1, 0);
    assert.deepEqual(handshake.read(Buffer.concat([C2, Buffer.of(1, 2)]), 0), { send: EMPTY, rest: Buffer.of(1, 2) });
    assert.equal(handshake.bufferedBytes, 0);
  });

  it('does not compare C2 with S1', () => {
    const handshake = new Handshake(random);
    handshake.read(C0_C1, 0);
    assert.deepEqual(handshake.read(Buffer.alloc(1536), 0).rest, EMPTY);
  });

  it('is the same byte by byte', () => {
    const handshake = new Handshake(random);
    const bytes = Buffer.concat([C0_C1, C2]);
    const steps = Array.from(bytes, (byte) => handshake.read(Buffer.of(byte), 7));
    assert.deepEqual(Buffer.concat(steps.map(({ send }) => send)), new Handshake(random).read(C0_C1, 7).send);
    assert.deepEqual(
      steps.map(({ rest }) => rest !== undefined),
      steps.map((_, index) => index === bytes.length - 1),
    );
  });

  it('keeps less than 3074 bytes and answers once', () => {
    const handshake = new Handshake(random);
    assert.equal(handshake.read(C0_C1, 0).send.length, S0_S1_S2_BYTES);
    assert.equal(handshake.read(C2.subarray(1), 0).send.length, 0);
    assert.equal(handshake.bufferedBytes, 3072);
  });

  for (const [what, first] of [
    ['RTMPE', 6],
    ['HTTP', 'GET / HTTP/1.1'],
    ['TLS', 0x16],
  ] as const) {
    it(`is refused to ${what}`, () => {
      const bytes = typeof first === 'number' ? Buffer.of(first) : Buffer.from(first);
      const fault = { reason: 'not_rtmp', message: 'This port speaks RTMP version 3' };
      assert.deepEqual(new Handshake(random).read(bytes, 0), { send: EMPTY, fault });
    });
  }
});
