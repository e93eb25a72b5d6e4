import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readFrameCommand, readParentOrigin, refused } from '../../../src/pages/viewer/frame-command.js';

const command = (fields: object) => readFrameCommand({ source: 'streamgate', ...fields });

describe('a command of the embedding page', () => {
  for (const type of ['play', 'pause', 'mute', 'unmute', 'retry', 'requestState']) {
    it(`can be ${type}, and other fields are removed`, () =>
      assert.deepEqual(command({ type, volume: 2, more: {} }), { type }));
  }

  for (const volume of [0, 0.5, 1]) {
    it(`can be a volume of ${volume}`, () =>
      assert.deepEqual(command({ type: 'setVolume', volume }), { type: 'setVolume', volume }));
  }

  for (const volume of [-0.1, 1.1, NaN, Infinity, '1', null, undefined, {}]) {
    it(`cannot be a volume of ${String(volume)}`, () =>
      assert.deepEqual(
        command({ type: 'setVolume', volume }),
        refused('setVolume', 'invalid_command', 'volume is a number from 0 to 1'),
      ));
  }

  for (const type of ['jump', '', 'toString', '__proto__']) {
    it(`is answered with unknown_command: "${type}"`, () =>
      assert.deepEqual(command({ type }), refused(type, 'unknown_command', 'There is no such command')));
  }

  for (const type of [undefined, null, 1, { toString: null }, ['play']]) {
    it(`is answered with invalid_command if its type is ${JSON.stringify(type)}`, () => {
      const answer = command({ type });
      assert.deepEqual(answer, refused('', 'invalid_command', 'The type of a command is a string'));
    });
  }

  for (const data of [null, undefined, 'play', 1, [], {}, { type: 'play' }, { source: 'other', type: 'play' }]) {
    it(`is ignored if it is ${JSON.stringify(data)}`, () => assert.equal(readFrameCommand(data), undefined));
  }

  it('is read without an error and with a short answer, whatever it contains', () => {
    const anything = fc.oneof(
      fc.anything({ withMap: true, withSet: true, withTypedArray: true, withDate: true, withBigInt: true }),
      fc.record({
        source: fc.constant('streamgate'),
        type: fc.oneof(fc.string(), fc.anything()),
        volume: fc.anything(),
      }),
      fc.record({ source: fc.constant('streamgate'), type: fc.constant('setVolume'), volume: fc.double() }),
    );
    fc.assert(
      fc.property(anything, (data) => {
        const read = readFrameCommand(data);
        if (!read) return;
        assert.ok(JSON.stringify(read).length < 500);
        if (read.type === 'setVolume') assert.ok(read.volume >= 0 && read.volume <= 1);
      }),
    );
  });

  it('is answered with at most 64 characters of its type', () => {
    const answer = command({ type: 'x'.repeat(1_000_000) });
    assert.equal(answer?.type === 'command-error' && answer.command.length, 64);
  });
});

describe('the target origin of messages', () => {
  const read = (query: string) => readParentOrigin(new URL(`https://live.test/viewer?streamId=acme/keynote${query}`));

  it('is any page if the URL has no parentOrigin', () => assert.equal(read(''), '*'));

  for (const [named, origin] of [
    ['https://site.example', 'https://site.example'],
    ['https://site.example/page?a=b', 'https://site.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['HTTPS://SITE.example:443', 'https://site.example'],
  ] as const) {
    it(`is ${origin} for ${named}`, () => assert.equal(read(`&parentOrigin=${encodeURIComponent(named)}`), origin));
  }

  for (const named of ['', '*', 'site.example', 'null', 'file:///x', 'data:text/html,x', 'javascript:1']) {
    it(`is undefined for a parentOrigin that is not an origin: "${named}"`, () =>
      assert.equal(read(`&parentOrigin=${encodeURIComponent(named)}`), undefined));
  }
});
