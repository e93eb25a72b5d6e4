import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endFault, scheduledStateOf } from '../../../../server/accounts/schedule/scheduled-stream.js';
import { START } from '../../../support/scheduled-stream.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = START + 2 * HOUR;

const stateAt = (now: number, liveSince?: number, endsOn: number | null = END) =>
  scheduledStateOf({ startsOn: START, endsOn }, { now, liveSince });

describe('the state of a scheduled stream', () => {
  it('is scheduled until the end, while nobody broadcasts', () => {
    assert.deepEqual([stateAt(START - DAY), stateAt(START), stateAt(END - 1)], ['scheduled', 'scheduled', 'scheduled']);
  });

  it('is over from the end', () => assert.deepEqual([stateAt(END), stateAt(END + DAY)], ['over', 'over']));

  it('is over twelve hours after the start, without an end', () => {
    const states = [START + 12 * HOUR - 1, START + 12 * HOUR].map((now) => stateAt(now, undefined, null));
    assert.deepEqual(states, ['scheduled', 'over']);
  });

  it('is live while the stream is live', () => assert.equal(stateAt(START + HOUR, START), 'live'));

  it('is live when the broadcast begins early, up to an hour', () => {
    assert.equal(stateAt(START - HOUR, START - HOUR), 'live');
    assert.equal(stateAt(START - HOUR - 1, START - HOUR - 1), 'scheduled');
  });

  it('is live with a broadcast that runs all day', () => assert.equal(stateAt(START, START - DAY), 'live'));

  it('is live after the end, while the broadcast that began before goes on', () => {
    assert.equal(stateAt(END + DAY, END - 1), 'live');
  });

  it('is over when a later broadcast has the same stream name', () => {
    assert.equal(stateAt(START + DAY, START + DAY), 'over');
    assert.equal(stateAt(END, END), 'over');
  });
});

describe('the end of a scheduled stream', () => {
  for (const [what, endsOn, fault] of [
    ['may be absent', null, undefined],
    ['may be a moment after the start', START + 1, undefined],
    ['may be seven days after the start', START + 7 * DAY, undefined],
    ['is not the start', START, 'must be after startsOn'],
    ['is not before the start', START - 1, 'must be after startsOn'],
    ['is not more than seven days after the start', START + 7 * DAY + 1, 'must be at most 7 days after startsOn'],
  ] as const) {
    it(what, () => assert.equal(endFault({ startsOn: START, endsOn }), fault));
  }
});
