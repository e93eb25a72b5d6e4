import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasPlayer, pageStageOf, type PageFacts } from '../../../src/pages/scheduled/page-stage.js';
import type { PlayerState } from '../../../src/pages/scheduled/player-state.js';
import type { AnnouncedStream } from '../../../src/wire/scheduled-stream.js';

const START = Date.parse('2026-12-05T19:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function announcement(fields: Partial<AnnouncedStream> = {}) {
  const stream: AnnouncedStream = {
    accountId: 'acme',
    streamName: 'main',
    title: 'Keynote',
    description: null,
    startsOn: new Date(START).toISOString(),
    endsOn: null,
    state: 'scheduled',
    now: new Date(START - HOUR).toISOString(),
    ...fields,
  };
  return { name: 'known', stream } as const;
}

/** A page an hour before the start. */
function facts(changed: Partial<PageFacts> = {}): PageFacts {
  return {
    announcement: announcement(),
    now: START - HOUR,
    player: 'none',
    hasPlayed: false,
    ...changed,
  };
}

const shown = (changed: Partial<PageFacts> = {}): [string, boolean] => {
  const all = facts(changed);
  const stage = pageStageOf(all);
  return [stage.name, hasPlayer(stage, all)];
};

const live = announcement({ state: 'live' });
const over = announcement({ state: 'over' });
const withEnd = announcement({ endsOn: new Date(START + HOUR).toISOString() });

describe('the page of a scheduled stream', () => {
  it('waits for the first answer, and says if there is no such stream', () => {
    assert.deepEqual(shown({ announcement: { name: 'loading' } }), ['loading', false]);
    assert.deepEqual(shown({ announcement: { name: 'missing' } }), ['missing', false]);
  });

  it('counts down to the start', () => {
    assert.deepEqual(pageStageOf(facts()), { name: 'countdown', remainingMs: HOUR });
    assert.deepEqual(pageStageOf(facts({ now: START - 1 })), { name: 'countdown', remainingMs: 1 });
  });

  it('has the player, which waits, from ten minutes before the start', () => {
    assert.deepEqual(shown({ now: START - 10 * MINUTE - 1 }), ['countdown', false]);
    assert.deepEqual(shown({ now: START - 10 * MINUTE }), ['countdown', true]);
  });

  it('becomes the player when the stream is live, also before the start', () => {
    assert.deepEqual(shown({ announcement: live }), ['live', true]);
    assert.deepEqual(shown({ announcement: live, player: 'connecting' }), ['live', true]);
    assert.deepEqual(shown({ player: 'playing' }), ['live', true]);
  });

  it('stays the player while the connection comes back', () => {
    assert.deepEqual(shown({ player: 'resuming', hasPlayed: true }), ['live', true]);
  });

  it('believes the player that nobody broadcasts, until the server says so too', () => {
    assert.deepEqual(shown({ announcement: live, player: 'waiting', now: START + MINUTE }), ['starting', true]);
  });

  it('says that the stream starts any moment after the start', () => {
    assert.deepEqual(shown({ now: START }), ['starting', true]);
    assert.deepEqual(shown({ now: START, player: 'waiting' }), ['starting', true]);
  });

  it('waits if the broadcast stops before its end', () => {
    const changed = { player: 'waiting', hasPlayed: true, announcement: withEnd } as const;
    assert.deepEqual(shown({ ...changed, now: START + HOUR - 1 }), ['paused', true]);
    assert.deepEqual(shown({ ...changed, now: START + HOUR }), ['over', false]);
  });

  it('is over when the broadcaster ends it, with the player until the times say so too', () => {
    const ended = { player: 'ended', hasPlayed: true, announcement: withEnd } as const;
    assert.deepEqual(shown({ ...ended, now: START + MINUTE }), ['over', true]);
    assert.deepEqual(shown({ ...ended, now: START - MINUTE }), ['countdown', true]);
    assert.deepEqual(shown({ ...ended, now: START + MINUTE, endedOn: START - 1 }), ['paused', true], 'a trial');
    assert.deepEqual(shown({ ...ended, now: START + MINUTE, endedOn: START }), ['over', true]);
    assert.deepEqual(shown({ ...ended, player: 'playing', now: START + MINUTE }), ['live', true]);
    assert.deepEqual(shown({ ...ended, announcement: over }), ['over', false]);
  });

  it('is over twelve hours after the start, without an end', () => {
    assert.deepEqual(shown({ now: START + 12 * HOUR - 1, player: 'waiting' }), ['starting', true]);
    assert.deepEqual(shown({ now: START + 12 * HOUR, player: 'waiting' }), ['over', false]);
  });

  it('is over as soon as the server says so', () => assert.deepEqual(shown({ announcement: over }), ['over', false]));

  it('goes on after the end while the broadcast does', () => {
    const late = { now: START + 2 * HOUR, hasPlayed: true } as const;
    const stillLive = announcement({ endsOn: new Date(START + HOUR).toISOString(), state: 'live' });
    assert.deepEqual(shown({ ...late, announcement: stillLive, player: 'connecting' }), ['live', true]);
    assert.deepEqual(shown({ ...late, announcement: over, player: 'playing' }), ['live', true]);
    assert.deepEqual(shown({ ...late, announcement: over, player: 'waiting' }), ['over', false]);
  });

  it('keeps the picture of a stream whose announcement was removed', () => {
    assert.deepEqual(shown({ announcement: { name: 'missing' }, player: 'waiting' }), ['missing', false]);
    assert.equal(shown({ announcement: { name: 'missing' }, player: 'playing' })[0], 'live');
  });

  it('shows the player that was refused, until the stream is over', () => {
    for (const now of [START - MINUTE, START + MINUTE]) {
      assert.deepEqual(shown({ now, player: 'refused' }), ['refused', true]);
    }
    assert.deepEqual(shown({ announcement: over, player: 'refused' }), ['over', false]);
  });

  it('keeps a player that is connected when the start is moved to a later time', () => {
    for (const player of ['waiting', 'connecting'] satisfies PlayerState[]) {
      assert.deepEqual(shown({ player }), ['countdown', true]);
    }
  });
});
