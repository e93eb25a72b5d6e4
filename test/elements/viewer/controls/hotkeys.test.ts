import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hotkeyOf } from '../../../../src/elements/viewer/controls/hotkeys.js';

/** Stands for what has the focus: it matches when its kind is among the selectors. */
const focused = (kind = 'div') => ({
  matches: (selectors: string) => selectors.split(',').some((one) => one.replace(/[:[].*/, '') === kind),
});
const press = (key: string, changes: Partial<KeyboardEvent> = {}) => ({
  key,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  defaultPrevented: false,
  ...changes,
});

describe('a key of the player', () => {
  for (const [key, shortcut] of [
    [' ', 'play'],
    ['k', 'play'],
    ['K', 'play'],
    ['m', 'mute'],
    ['f', 'fullscreen'],
    ['i', 'pictureInPicture'],
    ['ArrowUp', 'louder'],
    ['ArrowDown', 'softer'],
    ['Escape', 'close'],
    ['x', undefined],
    ['ArrowLeft', undefined],
    ['constructor', undefined],
  ] as const) {
    it(`"${key}" is for ${shortcut ?? 'nothing'}`, () => assert.equal(hotkeyOf(press(key), focused()), shortcut));
  }

  for (const changes of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { defaultPrevented: true }]) {
    it(`is somebody else's with ${Object.keys(changes)[0]}`, () =>
      assert.equal(hotkeyOf(press('f', changes), focused()), undefined));
  }

  it("is the button's own, which space presses", () => {
    assert.equal(hotkeyOf(press(' '), focused('button')), undefined);
    assert.equal(hotkeyOf(press('k'), focused('button')), 'play');
  });

  it("is the text's, where somebody writes", () => {
    assert.equal(hotkeyOf(press('k'), focused('textarea')), undefined);
  });
});
