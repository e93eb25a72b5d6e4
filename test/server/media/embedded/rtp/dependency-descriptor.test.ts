import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  isSwitchingPoint,
  readDependencyDescriptor,
  type TemplateStructure,
} from '../../../../../server/media/embedded/rtp/dependency-descriptor.js';
import { descriptorsOf } from '../../../../support/media/dependency-descriptor.js';

const read = (bytes: Uint8Array, structures: readonly TemplateStructure[] = []) =>
  readDependencyDescriptor(bytes, 0, bytes.length, structures);
const structureOf = (spatialLayers: number, temporalLayers: number): TemplateStructure =>
  read(descriptorsOf(spatialLayers, temporalLayers)({ keyframe: true }))!.structure!;

describe('a dependency descriptor', () => {
  const dimension = fc.integer({ min: 1, max: 3 });

  it('of a keyframe names the layers, the decode targets and their sizes', () => {
    const structure = structureOf(2, 2);
    const layers = [
      { spatialId: 0, temporalId: 0 },
      { spatialId: 0, temporalId: 1 },
      { spatialId: 1, temporalId: 0 },
      { spatialId: 1, temporalId: 1 },
    ];
    assert.deepEqual(
      structure.templates.map(({ spatialId, temporalId }) => ({ spatialId, temporalId })),
      layers,
    );
    assert.deepEqual(structure.decodeTargets, layers);
    assert.deepEqual(structure.sizes, [
      { width: 640, height: 360 },
      { width: 1280, height: 720 },
    ]);
  });

  it('is read by the structure of the last keyframe', () => {
    fc.assert(
      fc.property(
        dimension,
        dimension,
        fc.nat(),
        fc.nat(0xffff),
        fc.boolean(),
        (spatials, temporals, n, frame, end) => {
          const [spatial, temporal] = [n % spatials, Math.floor(n / 3) % temporals];
          const bytes = descriptorsOf(spatials, temporals)({ spatial, temporal, frameNumber: frame, start: !end, end });
          const descriptor = read(bytes, [structureOf(spatials, temporals)])!;
          assert.deepEqual(
            [descriptor.startOfFrame, descriptor.endOfFrame, descriptor.frameNumber, descriptor.structure],
            [!end, end, frame, undefined],
          );
          assert.deepEqual([descriptor.template.spatialId, descriptor.template.temporalId], [spatial, temporal]);
        },
      ),
    );
  });

  it('tells which decode targets are active: all from a keyframe on, and then as it says', () => {
    const structure = structureOf(3, 1);
    const describe = descriptorsOf(3, 1);
    assert.equal(read(describe({ keyframe: true }))!.activeDecodeTargets, 0b111);
    assert.equal(read(describe({}), [structure])!.activeDecodeTargets, undefined);
    assert.equal(read(describe({ activeTargets: 0b011 }), [structure])!.activeDecodeTargets, 0b011);
    assert.equal(read(describe({ keyframe: true, activeTargets: 0b001 }))!.activeDecodeTargets, 0b001);
  });

  it('is a switching point where every higher temporal layer may begin', () => {
    const structure = structureOf(2, 3);
    const at = (spatial: number, temporal: number) =>
      isSwitchingPoint(read(descriptorsOf(2, 3)({ spatial, temporal }), [structure])!, structure.decodeTargets);
    assert.deepEqual([at(0, 0), at(1, 0), at(0, 1), at(1, 2)], [true, true, false, false]);
  });

  it('cannot be read without its structure, with the template of another one, or if it is cut off', () => {
    const describe = descriptorsOf(3, 3);
    const keyframe = describe({ keyframe: true });
    assert.equal(read(describe({})), undefined);
    assert.equal(read(describe({ spatial: 2 }), [structureOf(1, 1)]), undefined);
    for (let length = 0; length < keyframe.length; length++) {
      assert.equal(read(keyframe.subarray(0, length)), undefined, `${length} of ${keyframe.length} bytes`);
    }
  });

  it('of a hostile peer is read within its bytes, in bounded time', () => {
    const structures = [structureOf(3, 3), structureOf(1, 2)];
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 255 }),
      // Most of it is right.
      fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => {
        const bytes = descriptorsOf(3, 3)({ keyframe: true, activeTargets: 7 });
        bytes[at % bytes.length] = byte;
        return bytes;
      }),
    );
    fc.assert(
      fc.property(hostile, (bytes) => {
        const descriptor = read(bytes, structures);
        if (!descriptor) return;
        const { template, indications, structure } = descriptor;
        assert.ok(template.spatialId <= 3 && template.temporalId <= 7 && descriptor.frameNumber <= 0xffff);
        assert.ok(indications.length <= 32 && (structure?.templates.length ?? 0) <= 64);
      }),
      { numRuns: 20_000 },
    );
  });
});
