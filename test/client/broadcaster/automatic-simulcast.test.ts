import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  nextAutomaticSimulcast,
  ONE_ENCODING,
  type AutomaticSimulcast,
  type SendingFacts,
} from '../../../src/client/broadcaster/automatic-simulcast.js';

/** A network that carries twice what the encoder makes. */
const ROOM: SendingFacts = { limit: 'none', target: 2_500_000, available: 5_000_000 };

const after = (facts: SendingFacts, times: number, state: AutomaticSimulcast = ONE_ENCODING): AutomaticSimulcast =>
  times === 0 ? state : after(facts, times - 1, nextAutomaticSimulcast(state, facts));

const ON = after(ROOM, 3);

describe('automatic simulcast', () => {
  it('begins when the largest encoding was not limited three times, and the network had room', () => {
    assert.deepEqual([after(ROOM, 2).isOn, ON.isOn], [false, true]);
  });

  it('begins only after three times without an interruption', () => {
    const interrupted = after({ ...ROOM, limit: 'bandwidth' }, 1, after(ROOM, 2));
    assert.equal(after(ROOM, 2, interrupted).isOn, false);
  });

  for (const [what, facts] of [
    ['the network has less room than all encodings need', { ...ROOM, available: 3_500_000 }],
    ['the processor is too slow', { ...ROOM, limit: 'cpu' }],
    ['the network is too slow', { ...ROOM, limit: 'bandwidth' }],
    ['the browser does not say what the network carries', { ...ROOM, available: undefined }],
    ['the browser does not say what the encoder makes', { ...ROOM, target: undefined }],
    ['the browser does not say what limits the encoder', { ...ROOM, limit: undefined }],
  ] as const) {
    it(`does not begin while ${what}`, () => {
      assert.equal(after(facts, 100).isOn, false);
    });
  }

  it('ends when the largest encoding was limited three times, and stays while it is not', () => {
    const limited = { ...ROOM, limit: 'bandwidth' };
    assert.deepEqual([after(limited, 2, ON).isOn, after(limited, 3, ON).isOn], [true, false]);
    assert.equal(after({ ...ROOM, available: 0 }, 100, ON).isOn, true);
  });

  it('needs four times as long to begin again after the network was too slow', () => {
    const ended = after({ ...ROOM, limit: 'bandwidth' }, 3, ON);
    assert.deepEqual([after(ROOM, 11, ended).isOn, after(ROOM, 12, ended).isOn], [false, true]);
  });

  it('does not begin again after the processor was too slow', () => {
    const ended = after({ ...ROOM, limit: 'cpu' }, 3, ON);
    assert.deepEqual([ended.isOn, after(ROOM, 1_000, ended).isOn], [false, false]);
  });

  it('changes at most once in three times, whatever the browser says', () => {
    const facts = fc.record({
      limit: fc.constantFrom('none', 'cpu', 'bandwidth', 'other', undefined),
      target: fc.option(fc.integer({ min: 0, max: 5_000_000 }), { nil: undefined }),
      available: fc.option(fc.integer({ min: 0, max: 9_000_000 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 60 }), (all) => {
        let [state, since] = [ONE_ENCODING, 0];
        for (const each of all) {
          const next = nextAutomaticSimulcast(state, each);
          since++;
          if (next.isOn !== state.isOn) {
            assert.ok(since >= 3);
            since = 0;
          }
          state = next;
        }
      }),
    );
  });
});
