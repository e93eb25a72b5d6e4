import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bitrateRange,
  NO_SELECTION,
  selectLayer,
  type LayerSelection,
  type LayerSelectionInput,
} from '../../../../../server/media/embedded/consumer/layer-selection.js';
import type { LayerState } from '../../../../../server/media/engine/media-figures.js';
import type { LayerChoice } from '../../../../../server/media/engine/media-session.js';

function layer(parts: Partial<LayerState> = {}): LayerState {
  const encodingId = parts.encodingId ?? '0';
  return {
    encodingId,
    simulcastIndex: Number(encodingId),
    active: true,
    bitrate: 100_000,
    packets: 10,
    totalBytes: 1_000,
    width: 320,
    height: 180,
    ...parts,
  };
}

const SIMULCAST = [
  layer({ encodingId: '0', bitrate: 150_000, width: 320, height: 180 }),
  layer({ encodingId: '1', bitrate: 500_000, width: 640, height: 360 }),
  layer({ encodingId: '2', bitrate: 1_500_000, width: 1280, height: 720 }),
];
/**
 * One encoding of three sizes, each at a quarter, half and all of the frame rate. Own bitrates: 100, 200, … 900 kbit/s.
 */
const SVC = [0, 1, 2].flatMap((spatialLayerId) =>
  [0, 1, 2].map((temporalLayerId) =>
    layer({
      spatialLayerId,
      temporalLayerId,
      bitrate: 100_000 * (1 + temporalLayerId + 3 * spatialLayerId),
      width: 320 << spatialLayerId,
      height: 180 << spatialLayerId,
    }),
  ),
);

const situation = (parts: Partial<LayerSelectionInput> = {}): LayerSelectionInput => ({
  layers: SIMULCAST,
  choice: {},
  available: undefined,
  now: 0,
  ...parts,
});

/** As `1`, or `0 S2 T1`. */
function named({ target }: LayerSelection): string | undefined {
  if (!target) return undefined;
  const { encodingId, spatialLayerId, temporalLayerId } = target;
  return [encodingId, spatialLayerId, temporalLayerId]
    .map((id, index) => (id === undefined ? '' : ['', 'S', 'T'][index]! + id))
    .filter(Boolean)
    .join(' ');
}

const first = (parts: Partial<LayerSelectionInput>) => named(selectLayer(NO_SELECTION, situation(parts)));

describe('the first layer selection', () => {
  const simulcast: [what: string, parts: Partial<LayerSelectionInput>, expected: string | undefined][] = [
    ['the best if the bandwidth is unknown', {}, '2'],
    ['the best that the network carries', { available: 600_000 }, '1'],
    ['the lowest if the network carries none', { available: 10_000 }, '0'],
    ['the chosen encoding', { choice: { encodingId: '1' } }, '1'],
    ['the chosen encoding at any bandwidth', { choice: { encodingId: '2' }, available: 10_000 }, '2'],
    ['the nearest one below an encoding that does not exist', { choice: { encodingId: '7' } }, '2'],
    ['any encoding for an invalid id', { choice: { encodingId: 'high' } }, '2'],
    ['no wider than the maximum', { choice: { maxWidth: 1_000 } }, '1'],
    ['no higher than the maximum', { choice: { maxHeight: 200 } }, '0'],
    ['the lowest if all are too wide', { choice: { maxWidth: 100 } }, '0'],
    ['the best encoding for layers that do not exist', { choice: { spatialLayerId: 2, temporalLayerId: 1 } }, '2'],
    ['nothing while no layer is active', { layers: SIMULCAST.map((each) => ({ ...each, active: false })) }, undefined],
    ['nothing without layers', { layers: [] }, undefined],
    [
      'the nearest active one below the chosen encoding',
      { choice: { encodingId: '2' }, layers: SIMULCAST.map((each, index) => ({ ...each, active: index < 2 })) },
      '1',
    ],
    [
      'the lowest active one if all are above the chosen encoding',
      { choice: { encodingId: '0' }, layers: SIMULCAST.map((each, index) => ({ ...each, active: index > 0 })) },
      '1',
    ],
  ];
  for (const [what, parts, expected] of simulcast) {
    it(`is ${what}`, () => assert.equal(first(parts), expected));
  }

  const svc: [what: string, parts: Partial<LayerSelectionInput>, expected: string][] = [
    ['all layers if the bandwidth is unknown', {}, '0 S2 T2'],
    ['what the bandwidth carries with all lower layers', { available: 4_499_999 }, '0 S2 T1'],
    ['half the frame rate before a smaller size', { available: 3_500_000 }, '0 S2 T1'],
    ['a smaller size before a quarter of the frame rate', { available: 2_600_000 }, '0 S1 T2'],
    ['a quarter of the frame rate if there is no smaller size', { available: 150_000 }, '0 S0 T0'],
    ['the chosen size and rate', { choice: { spatialLayerId: 1, temporalLayerId: 0 } }, '0 S1 T0'],
    ['no more than the maximum', { choice: { maxSpatialLayerId: 1, maxTemporalLayerId: 1 } }, '0 S1 T1'],
    ['the best rate for a chosen size', { choice: { spatialLayerId: 0 }, available: 350_000 }, '0 S0 T1'],
    ['the best size for a chosen rate', { choice: { temporalLayerId: 2 }, available: 2_200_000 }, '0 S1 T2'],
  ];
  for (const [what, parts, expected] of svc) {
    it(`of a scalable encoding is ${what}`, () => assert.equal(first({ layers: SVC, ...parts }), expected));
  }
});

describe('a selected layer', () => {
  const start = selectLayer(NO_SELECTION, situation({ available: 600_000 }));
  /** When the selection first differs from that of `decision`, called every 500 ms. */
  function changesAt(decision: LayerSelection, parts: Partial<LayerSelectionInput>, until: number) {
    const now = parts.now ?? 0;
    let current = decision;
    for (let at = now; at <= now + until; at += 500) {
      current = selectLayer(current, situation({ ...parts, now: at }));
      if (named(current) !== named(decision)) return { after: at - now, decision: current };
    }
    return undefined;
  }

  it('is downgraded at once when the network does not carry it any more', () => {
    assert.equal(named(selectLayer(start, situation({ available: 499_999, now: 1 }))), '0');
  });

  it('is upgraded only after a time with more headroom than needed', () => {
    assert.equal(changesAt(start, { available: 1_870_000 }, 60_000), undefined);
    const change = changesAt(start, { available: 1_875_000 }, 60_000);
    assert.deepEqual([named(change!.decision), change!.after], ['2', 2_000]);
  });

  it('stays when the headroom lasted only a moment', () => {
    let decision = start;
    for (let now = 0; now < 60_000; now += 500) {
      decision = selectLayer(decision, situation({ available: now % 1_500 ? 2_000_000 : 600_000, now }));
      assert.equal(named(decision), '1');
    }
  });

  it('is upgraded after a longer and longer time when upgrades had to be reverted', () => {
    const waits: number[] = [];
    let decision = start;
    for (let now = 0, round = 0; round < 7; round++) {
      const up = changesAt(decision, { available: 2_000_000, now }, 100_000)!;
      waits.push(up.after);
      now += up.after + 1_000;
      decision = selectLayer(up.decision, situation({ available: 600_000, now }));
      assert.equal(named(decision), '1');
    }
    assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('is upgraded after four seconds at most when the bandwidth is probed', () => {
    const tried = { available: 2_000_000, isProbed: true };
    const up = changesAt({ ...start, upgradeDelayMs: 4_000 }, tried, 60_000)!;
    const down = selectLayer(up.decision, situation({ ...tried, available: 600_000, now: up.after + 1_000 }));
    assert.deepEqual([named(down), down.upgradeDelayMs], ['1', 4_000]);
  });

  it('is upgraded soon again when the last upgrade lasted', () => {
    const failed = { ...start, upgradeDelayMs: 32_000 };
    const up = changesAt(failed, { available: 2_000_000 }, 100_000)!;
    const down = selectLayer(up.decision, situation({ available: 600_000, now: up.after + 30_000 }));
    assert.equal(down.upgradeDelayMs, 2_000);
  });

  it('is downgraded to the previous layer after a failed upgrade, even if the queue lowers the estimate', () => {
    const up = changesAt(start, { available: 2_000_000 }, 60_000)!;
    const failedAt = up.after + 1_000;
    const back = (available: number) => selectLayer(up.decision, situation({ available, now: failedAt }));
    assert.deepEqual(
      [600_000, 250_000, 249_999].map((available) => named(back(available))),
      ['1', '1', '0'],
    );
    const later = (available: number, after: number) =>
      named(selectLayer(back(300_000), situation({ available, now: failedAt + after })));
    assert.equal(later(300_000, 1_999), '1');
    assert.equal(later(200_000, 1_999), '0');
    assert.equal(later(300_000, 2_000), '0');
  });

  it('is downgraded to what the network carries if the upgrade lasted', () => {
    const up = changesAt(start, { available: 2_000_000 }, 60_000)!;
    const down = selectLayer(up.decision, situation({ available: 300_000, now: up.after + 5_000 }));
    assert.equal(named(down), '0');
  });

  it('comes with the bitrate that the best allowed layer needs', () => {
    const aim = (parts: Partial<LayerSelectionInput>) => selectLayer(NO_SELECTION, situation(parts)).desiredBitrate;
    assert.equal(aim({ available: 100_000 }), 1_875_000);
    assert.equal(aim({ available: 100_000, choice: { maxWidth: 640 } }), 625_000);
    assert.equal(aim({ available: 100_000, choice: { encodingId: '2' } }), undefined);
    assert.equal(aim({ available: 2_000_000 }), undefined);
    assert.equal(aim({ layers: [] }), undefined);
  });

  it('changes at once to what the viewer chooses, up or down', () => {
    for (const encodingId of ['0', '2']) {
      assert.equal(named(selectLayer(start, situation({ choice: { encodingId }, available: 600_000 }))), encodingId);
    }
  });

  it('changes at once when it becomes inactive', () => {
    const layers = SIMULCAST.filter(({ encodingId }) => encodingId !== '1');
    assert.equal(named(selectLayer(start, situation({ layers, available: 2_000_000 }))), '2');
  });
});

describe('for all layers and choices, the selection', () => {
  const id = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
  const anyLayer = fc
    .record({
      encodingId: fc.constantFrom('0', '1', '2'),
      spatialLayerId: id,
      temporalLayerId: id,
      active: fc.boolean(),
      bitrate: fc.integer({ min: 0, max: 3_000_000 }),
      width: fc.constantFrom(0, 320, 640, 1280),
    })
    .map((parts) => layer(parts));
  const anyChoice: fc.Arbitrary<LayerChoice> = fc.record({
    encodingId: fc.option(fc.constantFrom('0', '1', '2', '9', 'x'), { nil: undefined }),
    spatialLayerId: id,
    temporalLayerId: id,
    maxSpatialLayerId: id,
    maxTemporalLayerId: id,
    maxWidth: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
    maxHeight: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
  });
  const anyEstimate = fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: undefined });

  it('is an active layer, and exists as long as any layer is active', () => {
    fc.assert(
      fc.property(fc.array(anyLayer, { maxLength: 9 }), anyChoice, anyEstimate, (layers, choice, available) => {
        const { target } = selectLayer(NO_SELECTION, situation({ layers, choice, available }));
        const active = layers.filter((each) => each.active);
        assert.equal(target !== undefined, active.length > 0);
        if (!target) return;
        assert.ok(
          active.some(
            (each) =>
              each.encodingId === target.encodingId &&
              each.spatialLayerId === target.spatialLayerId &&
              each.temporalLayerId === target.temporalLayerId,
          ),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('is never better with less bandwidth', () => {
    const rank = (decision: LayerSelection) => Number(named(decision));
    fc.assert(
      fc.property(fc.nat(3_000_000), fc.nat(3_000_000), (a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((available) =>
          rank(selectLayer(NO_SELECTION, situation({ available }))),
        );
        assert.ok(less! <= more!);
      }),
    );
  });

  it('is upgraded no sooner than 2 s after the last change', () => {
    const steps = fc.array(fc.nat(3_000_000), { minLength: 10, maxLength: 60 });
    fc.assert(
      fc.property(steps, (estimates) => {
        let decision: LayerSelection = NO_SELECTION;
        let changedAt = -Infinity;
        estimates.forEach((available, index) => {
          const now = index * 250;
          const before = decision;
          decision = selectLayer(before, situation({ available, now }));
          if (!before.target || named(before) === named(decision)) return;
          if (Number(named(decision)) > Number(named(before))) assert.ok(now - changedAt >= 2_000);
          changedAt = now;
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the layers of a video', () => {
  /** Two encodings of two sizes and two frame rates each, with names that are no numbers. */
  const layers = ['q', 'f'].flatMap((encodingId, simulcastIndex) =>
    [0, 1].flatMap((spatialLayerId) =>
      [0, 1].map((temporalLayerId) => layer({ encodingId, simulcastIndex, spatialLayerId, temporalLayerId })),
    ),
  );
  const chosen = (choice: LayerChoice, of: readonly LayerState[] = layers) =>
    named(selectLayer(NO_SELECTION, situation({ layers: of, choice })));

  it('may be listed in any order', () => {
    const choices: readonly LayerChoice[] = [
      {},
      { encodingId: 'q' },
      { spatialLayerId: 0 },
      { temporalLayerId: 0 },
      { encodingId: 'q', spatialLayerId: 0, temporalLayerId: 0 },
    ];
    const expected = ['f S1 T1', 'q S1 T1', 'f S0 T1', 'f S1 T0', 'q S0 T0'];
    const byTurns = [0, 5, 2, 7, 4, 1, 6, 3].map((index) => layers[index]!);
    for (const listed of [layers, layers.toReversed(), byTurns]) {
      assert.deepEqual(
        choices.map((choice) => chosen(choice, listed)),
        expected,
      );
    }
  });

  it('are chosen by the name of the encoding, or by its number of up to three digits', () => {
    assert.deepEqual(
      ['q', 'f', '0', '1', '00', '10', '999'].map((encodingId) => chosen({ encodingId })?.[0]),
      ['q', 'f', 'q', 'f', 'q', 'f', 'f'],
    );
    assert.deepEqual(
      ['x0', '0x', '0000'].map((encodingId) => chosen({ encodingId })?.[0]),
      ['f', 'f', 'f'],
      'what is neither chooses nothing',
    );
  });

  it('are the best that the load of the process allows, and at least the lowest', () => {
    const best = (maxBitrate: number) => named(selectLayer(NO_SELECTION, situation({ maxBitrate })));
    assert.deepEqual([1_500_000, 1_499_999, 500_000, 1].map(best), ['2', '1', '1', '0']);
  });

  it('need between so much and so much, those that are active', () => {
    assert.deepEqual(bitrateRange(SIMULCAST), { lowest: 150_000, best: 1_500_000 });
    assert.deepEqual(bitrateRange([layer({ active: false })]), { lowest: 0, best: 0 });
  });
});
