import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { BLACK, colorOf, contrastOf, hexOf, mixed, WHITE } from '../../src/wire/color.js';
import { accentFault, TEXT_CONTRAST, themePalette } from '../../src/wire/theme-palette.js';

const color = fc
  .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }))
  .map(hexOf);
const contrast = (one: string, other: string) => contrastOf(colorOf(one), colorOf(other));

describe('the contrast of two colours', () => {
  it('is 21 for black and white, and 1 for equal colours', () => {
    assert.equal(contrastOf(BLACK, WHITE), 21);
    assert.equal(contrast('#123456', '#123456'), 1);
  });

  it('is as in the examples of WCAG: #767676 on white is just enough for text', () => {
    assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54');
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  });

  it('is the same in both directions', () => {
    fc.assert(fc.property(color, color, (one, other) => contrast(one, other) === contrast(other, one)));
  });
});

it('a colour is the same after it was read and written', () => {
  fc.assert(fc.property(color, (hex) => assert.equal(hexOf(colorOf(hex)), hex)));
});

describe('an accent colour', () => {
  it('is accepted if white text on it can be read', () => {
    assert.equal(accentFault('#e5484d'), undefined);
    assert.equal(accentFault('#006600'), undefined);
  });

  it('is refused with the contrast that it has, and the nearest colour that passes', () => {
    const { contrast, nearest } = accentFault('#ffd400')!;
    assert.equal(contrast.toFixed(2), '2.38');
    assert.equal(nearest, '#b29400');
  });

  it('never has a proposal that would be refused, or that is lighter', () => {
    fc.assert(
      fc.property(color, (accent) => {
        const fault = accentFault(accent);
        if (!fault) return;
        assert.ok(fault.contrast < TEXT_CONTRAST);
        assert.equal(accentFault(fault.nearest), undefined);
        colorOf(fault.nearest).forEach((part, index) => assert.ok(part <= colorOf(accent)[index]!));
      }),
    );
  });
});

describe('the palette of a theme', () => {
  it('is empty without colours', () => assert.deepEqual(themePalette({ accent: null, background: null }), {}));

  it('has legible texts on every background', () => {
    fc.assert(
      fc.property(color, (background) => {
        const palette = themePalette({ accent: null, background });
        for (const text of ['--ink', '--soft'])
          for (const ground of ['--ground', '--card', '--stream-panel'])
            assert.ok(contrast(palette[text]!, palette[ground]!) >= TEXT_CONTRAST, `${text} on ${ground}`);
        assert.ok(contrast(palette['--stream-panel-text']!, palette['--stream-panel']!) >= TEXT_CONTRAST);
        const behindPicture = palette['--stream-background'];
        if (behindPicture) assert.ok(contrast('#ffffff', behindPicture) >= 7);
        assert.equal(palette['color-scheme'], palette['--ink'] === '#ffffff' ? 'only dark' : 'only light');
      }),
    );
  });

  it('has legible white texts on the buttons of every accent that is accepted', () => {
    fc.assert(
      fc.property(color, (accent) => {
        if (accentFault(accent)) return;
        const palette = themePalette({ accent, background: null });
        for (const name of ['--accent', '--accent-strong'])
          assert.ok(contrast(palette[name]!, '#ffffff') >= TEXT_CONTRAST, name);
      }),
    );
  });

  it('mixes colours as color-mix does', () => assert.equal(hexOf(mixed([255, 0, 0], BLACK, 0.22)), '#c70000'));
});
