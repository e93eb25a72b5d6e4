import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readFrameCommand, readParentOrigin, refused } from '../../../src/pages/viewer/frame-command.js';

const command = (fields: object) => readFrameCommand({ source: 'streamgate', ...fields });

describe('what the page around asks of the player', () => {
  for (const type of ['play', 'pause', 'mute', 'unmute', 'requestState']) {
    it(`can be ${type}, and nothing that came with it is kept`, () =>
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
    it(`is answered when there is no such command: "${type}"`, () =>
      assert.deepEqual(command({ type }), refused(type, 'unknown_command', 'There is no such command')));
  }

  for (const type of [undefined, null, 1, { toString: null }, ['play']]) {
    it(`is answered when it names none: ${JSON.stringify(type)}`, () => {
      const answer = command({ type });
      assert.deepEqual(answer, refused('', 'invalid_command', 'A command has a type, which is a word'));
    });
  }

  for (const data of [null, undefined, 'play', 1, [], {}, { type: 'play' }, { source: 'other', type: 'play' }]) {
    it(`is no business of ours: ${JSON.stringify(data)}`, () => assert.equal(readFrameCommand(data), undefined));
  }

  it('never throws, and answers with little, whatever comes', () => {
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

  it('is answered with the beginning of a command that has no end', () => {
    const answer = command({ type: 'x'.repeat(1_000_000) });
    assert.equal(answer?.type === 'command-error' && answer.command.length, 64);
  });
});

describe('the page that is told', () => {
  const read = (query: string) => readParentOrigin(new URL(`https://live.test/viewer?streamId=acme/keynote${query}`));

  it('is whoever has the player in a frame, where the address names none', () => assert.equal(read(''), '*'));

  for (const [named, origin] of [
    ['https://site.example', 'https://site.example'],
    ['https://site.example/page?a=b', 'https://site.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['HTTPS://SITE.example:443', 'https://site.example'],
  ] as const) {
    it(`is ${origin} where the address says ${named}`, () =>
      assert.equal(read(`&parentOrigin=${encodeURIComponent(named)}`), origin));
  }

  for (const named of ['', '*', 'site.example', 'null', 'file:///x', 'data:text/html,x', 'javascript:1']) {
    it(`is nobody where the address names no origin: "${named}"`, () =>
      assert.equal(read(`&parentOrigin=${encodeURIComponent(named)}`), undefined));
  }
});
