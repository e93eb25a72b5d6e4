import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controlsOf } from '../../../demo/playground/control.js';
import { analyzeTags } from '../../../scripts/editor-data/analyze-tags.js';

const property = { name: 'frameRate', description: 'Pictures a second.', type: 'number', default: '30' };
const attribute = { ...property, name: 'frame-rate' };

describe('the knobs of the playground', async () => {
  const tags = await analyzeTags();

  it('are one for each attribute and property, and one for both where they are the same', () => {
    const { property: name, ...rest } = controlsOf({ attributes: [attribute], properties: [property] })[0]!;
    assert.deepEqual([name, rest.attribute, rest.kind, rest.initial], ['frameRate', 'frame-rate', 'number', 30]);
  });

  it('offer the words that a property takes', () => {
    const [knob] = controlsOf({
      attributes: [],
      properties: [{ ...property, type: "'vp8' | 'h264'", default: "'vp8'" }],
    });
    assert.deepEqual([knob!.kind, knob!.choices, knob!.initial], ['choice', ['vp8', 'h264'], 'vp8']);
  });

  it('only show what is only to be read', () => {
    const [knob] = controlsOf({ attributes: [], properties: [{ ...property, isReadonly: true }] });
    assert.equal(knob!.kind, 'shown');
  });

  it('say so where nobody knows how a value is given by hand', () => {
    assert.throws(
      () => controlsOf({ attributes: [], properties: [{ ...property, type: 'Map<string, never>' }] }),
      /control\.ts/,
    );
  });

  for (const tag of tags) {
    it(`are there for all that <${tag.name}> has`, () => {
      const knobs = controlsOf(tag);
      assert.deepEqual(
        tag.attributes.filter(({ name }) => !knobs.some((knob) => knob.attribute === name)),
        [],
      );
      assert.deepEqual(
        tag.properties.filter(({ name }) => !knobs.some((knob) => knob.property === name)),
        [],
      );
      assert.equal(knobs.length > 10, true);
    });
  }
});
