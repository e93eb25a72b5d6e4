import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controlsOf } from '../../../demo/playground/control.js';
import { analyzeTags } from '../../../scripts/editor-data/analyze-tags.js';

const property = { name: 'frameRate', description: 'Pictures a second.', type: 'number', default: '30' };
const attribute = { ...property, name: 'frame-rate' };

describe('the controls of the playground', async () => {
  const tags = await analyzeTags();

  it('are one for each property, together with its attribute', () => {
    const { property: name, ...rest } = controlsOf({ attributes: [attribute], properties: [property] })[0]!;
    assert.deepEqual([name, rest.attribute, rest.kind, rest.initial], ['frameRate', 'frame-rate', 'number', 30]);
  });

  it('offer the values of a union', () => {
    const [control] = controlsOf({
      attributes: [],
      properties: [{ ...property, type: "'vp8' | 'h264'", default: "'vp8'" }],
    });
    assert.deepEqual([control!.kind, control!.choices, control!.initial], ['choice', ['vp8', 'h264'], 'vp8']);
  });

  it('show a property that can only be read', () => {
    const [control] = controlsOf({ attributes: [], properties: [{ ...property, isReadonly: true }] });
    assert.equal(control!.kind, 'shown');
  });

  it('fail for a type that has no input field', () => {
    assert.throws(
      () => controlsOf({ attributes: [], properties: [{ ...property, type: 'Map<string, never>' }] }),
      /control\.ts/,
    );
  });

  for (const tag of tags) {
    it(`are complete for <${tag.name}>`, () => {
      const controls = controlsOf(tag);
      assert.deepEqual(
        tag.attributes.filter(({ name }) => !controls.some((control) => control.attribute === name)),
        [],
      );
      assert.deepEqual(
        tag.properties.filter(({ name }) => !controls.some((control) => control.property === name)),
        [],
      );
      assert.equal(controls.length > 10, true);
    });
  }
});
