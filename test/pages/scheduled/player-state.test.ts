import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StreamError, UnreachableError, type RefusalCode } from '../../../src/client/errors.js';
import type { ViewerPhase } from '../../../src/client/viewer/viewer-phase.js';
import { nextPlayerState, type PlayerState } from '../../../src/pages/scheduled/player-state.js';

const live = { name: 'live', media: {} as MediaStream, viewers: 1 } as const;
const rejected = (reason: RefusalCode): ViewerPhase => ({ name: 'rejected', reason, message: '', retryable: false });
const reconnecting = (error: StreamError): ViewerPhase => ({ name: 'reconnecting', attempt: 1, error, retryInMs: 1 });
const lost = reconnecting(new UnreachableError('lost'));

describe('the state of the player on the page of a scheduled stream', () => {
  for (const [before, phase, after] of [
    ['none', { name: 'authorizing' }, 'connecting'],
    ['connecting', { name: 'connecting' }, 'connecting'],
    ['connecting', lost, 'connecting'],
    ['connecting', { name: 'waiting' }, 'waiting'],
    ['waiting', lost, 'waiting'],
    ['waiting', { name: 'connecting' }, 'waiting'],
    ['waiting', live, 'playing'],
    ['playing', { name: 'ended' }, 'waiting'],
    ['playing', lost, 'resuming'],
    ['resuming', { name: 'connecting' }, 'resuming'],
    ['resuming', live, 'playing'],
    ['resuming', { name: 'waiting' }, 'waiting'],
    ['playing', { name: 'ended', declared: true }, 'ended'],
    ['ended', lost, 'ended'],
    ['ended', { name: 'waiting' }, 'ended'],
    ['ended', live, 'playing'],
    ['connecting', rejected('token_expired'), 'refused'],
    ['playing', rejected('token_disabled'), 'refused'],
    ['connecting', { name: 'failed', error: new StreamError('webrtc_missing', '') }, 'refused'],
    ['refused', { name: 'authorizing' }, 'connecting'],
  ] satisfies [PlayerState, ViewerPhase, PlayerState][]) {
    const cause = phase.name === 'rejected' ? `${phase.name}: ${phase.reason}` : phase.name;
    it(`is ${after} when a player that was ${before} is ${cause}`, () => {
      assert.equal(nextPlayerState(before, phase), after);
    });
  }
});
