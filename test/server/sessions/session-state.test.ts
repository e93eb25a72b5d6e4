import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  mayConnect,
  mediaOf,
  nextSessionState,
  sourceOf,
  type ClaimedSource,
  type SessionInput,
  type SessionState,
} from '../../../server/sessions/session-state.js';

type State = SessionState<string>;
type Input = SessionInput<string>;

const after = (...inputs: Input[]): State => inputs.reduce<State>(nextSessionState, { name: 'admitted' });
const source = (lease: ClaimedSource['lease'] = 'when_lost'): ClaimedSource => ({ sourceId: null, lease });
const connect = (lease?: ClaimedSource['lease']): Input => ({ name: 'connect', source: source(lease) });
const view: Input = { name: 'connect', source: undefined };
const connected: Input = { name: 'connected', media: 'media' };
const [failed, lost, ended]: Input[] = [{ name: 'failed' }, { name: 'lost' }, { name: 'ended' }];

describe('nextSessionState', () => {
  const cases: [what: string, inputs: Input[], state: State][] = [
    ['a viewer connected', [view, connected], { name: 'connected', source: undefined, media: 'media' }],
    ['a viewer was lost', [view, connected, lost!], { name: 'ended' }],
    ['a client was lost before it asked for media', [lost!], { name: 'ended' }],
    ['the engine refused a publisher, which can try again', [connect(), failed!], { name: 'admitted' }],
    ['a publisher was lost that cannot resume', [connect('none'), connected, lost!], { name: 'ended' }],
    [
      'a publisher was lost that can resume, and its media may continue',
      [connect(), connected, lost!],
      { name: 'suspended', source: source(), media: 'media', connecting: false },
    ],
    [
      'a publisher was lost while connecting and then got its media',
      [connect(), lost!, connected],
      { name: 'suspended', source: source(), media: 'media', connecting: false },
    ],
    ['a publisher was lost while connecting and then was refused', [connect(), lost!, failed!], { name: 'ended' }],
    [
      'the engine refused a publisher that resumed, which keeps its source',
      [connect('inherited'), failed!],
      { name: 'suspended', source: source('inherited'), media: undefined, connecting: false },
    ],
    [
      'the same publisher tried again',
      [connect('inherited'), failed!, connect('inherited'), connected],
      { name: 'connected', source: source('inherited'), media: 'media' },
    ],
    [
      'a publisher that resumed was lost while connecting and then was refused',
      [connect('inherited'), lost!, failed!],
      { name: 'suspended', source: source('inherited'), media: undefined, connecting: false },
    ],
    [
      'a publisher was lost while connecting, and its connection broke once more',
      [connect(), lost!, lost!],
      { name: 'suspended', source: source(), media: undefined, connecting: true },
    ],
    [
      'a publisher was lost that can resume, and asks once more without resuming',
      [connect(), connected, lost!, connect(), failed!],
      { name: 'suspended', source: source(), media: 'media', connecting: false },
    ],
    ['a session ended while connecting', [connect(), ended!, connected], { name: 'ended' }],
  ];
  for (const [what, inputs, state] of cases) {
    it(`is ${state.name} after ${what}`, () => {
      assert.deepEqual(after(...inputs), state);
    });
  }

  it('has the source and the media of what was connected', () => {
    const state = after(connect(), connected);
    assert.deepEqual([sourceOf(state), mediaOf(state)], [source(), 'media']);
    assert.deepEqual([sourceOf(after()), mediaOf(after())], [undefined, undefined]);
  });

  const anyInputs = fc.array(
    fc.oneof(
      fc.constantFrom(view, connected, failed!, lost!, ended!),
      fc.record({
        name: fc.constant('connect' as const),
        source: fc.record({
          sourceId: fc.constantFrom(null, 'cam1', 'cam2'),
          lease: fc.constantFrom<ClaimedSource['lease']>('none', 'when_lost', 'inherited'),
        }),
      }),
    ),
    { maxLength: 20 },
  );

  it('never leaves the state ended, which has neither source nor media', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const end = after(...inputs, ended!);
        assert.deepEqual([end, sourceOf(end), mediaOf(end)], [{ name: 'ended' }, undefined, undefined]);
        for (const input of inputs) assert.equal(nextSessionState(end, input), end);
      }),
    );
  });

  it('always has media, or is connecting, or may connect, or has ended', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const state = after(...inputs);
        const pending = state.name === 'connecting' || (state.name === 'suspended' && state.connecting);
        const possibilities = [mediaOf(state) !== undefined, pending, mayConnect(state), state.name === 'ended'];
        assert.equal(possibilities.filter(Boolean).length, 1, JSON.stringify(state));
      }),
    );
  });
});
