import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hotkeyOf } from '../../../../src/elements/viewer/controls/hotkeys.js';

/** A fake of the focused element. It matches selectors that contain its kind. */
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

describe('a hotkey', () => {
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
    it(`"${key}" is ${shortcut ?? 'none'}`, () => assert.equal(hotkeyOf(press(key), focused()), shortcut));
  }

  for (const changes of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { defaultPrevented: true }]) {
    it(`is none with ${Object.keys(changes)[0]}`, () =>
      assert.equal(hotkeyOf(press('f', changes), focused()), undefined));
  }

  it('is none for space on a button, because space presses the button', () => {
    assert.equal(hotkeyOf(press(' '), focused('button')), undefined);
    assert.equal(hotkeyOf(press('k'), focused('button')), 'play');
  });

  it('is none in a text field', () => {
    assert.equal(hotkeyOf(press('k'), focused('textarea')), undefined);
  });
});
