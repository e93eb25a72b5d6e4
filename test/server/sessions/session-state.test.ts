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

describe('the state of a session', () => {
  const stories: [what: string, inputs: Input[], state: State][] = [
    ['a viewer who connects', [view, connected], { name: 'connected', source: undefined, media: 'media' }],
    ['a viewer who is lost', [view, connected, lost!], { name: 'ended' }],
    ['a caller who is lost before asking for anything', [lost!], { name: 'ended' }],
    ['a publisher that the engine refuses, and may try again', [connect(), failed!], { name: 'admitted' }],
    ['a publisher who cannot come back and is lost', [connect('none'), connected, lost!], { name: 'ended' }],
    [
      'a publisher who can come back and is lost: media may go on',
      [connect(), connected, lost!],
      { name: 'suspended', source: source(), media: 'media', connecting: false },
    ],
    [
      'a publisher who is lost while it connects, and then has its media',
      [connect(), lost!, connected],
      { name: 'suspended', source: source(), media: 'media', connecting: false },
    ],
    ['a publisher who is lost while it connects, and is refused', [connect(), lost!, failed!], { name: 'ended' }],
    [
      'a publisher who took over a source, and is refused: it keeps the source',
      [connect('inherited'), failed!],
      { name: 'suspended', source: source('inherited'), media: undefined, connecting: false },
    ],
    [
      'the same, trying again',
      [connect('inherited'), failed!, connect('inherited'), connected],
      { name: 'connected', source: source('inherited'), media: 'media' },
    ],
    ['one that ended while it connected', [connect(), ended!, connected], { name: 'ended' }],
  ];
  for (const [what, inputs, state] of stories) {
    it(`after ${what}, is ${state.name}`, () => {
      assert.deepEqual(after(...inputs), state);
    });
  }

  const inputs = fc.array(
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

  it('never leaves the end, and has neither source nor media there', () => {
    fc.assert(
      fc.property(inputs, (story) => {
        const end = after(...story, ended!);
        assert.deepEqual([end, sourceOf(end), mediaOf(end)], [{ name: 'ended' }, undefined, undefined]);
        for (const input of story) assert.equal(nextSessionState(end, input), end);
      }),
    );
  });

  it('has media or a pending connection, or may connect, or is over: it never waits for nothing', () => {
    fc.assert(
      fc.property(inputs, (story) => {
        const state = after(...story);
        const pending = state.name === 'connecting' || (state.name === 'suspended' && state.connecting);
        const ways = [mediaOf(state) !== undefined, pending, mayConnect(state), state.name === 'ended'];
        assert.equal(ways.filter(Boolean).length, 1, JSON.stringify(state));
      }),
    );
  });
});
