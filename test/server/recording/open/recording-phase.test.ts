import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  FIRST_STEP,
  LAST_FRAMES_MS,
  nextPhase,
  retryDelayMs,
  type RecordingEvent,
  type RecordingPhase,
} from '../../../../server/recording/open/recording-phase.js';

const COME_BACK_MS = 60_000;
const WRITING: RecordingPhase = { name: 'writing', isLive: true, attempt: 0, wroteSome: true };

/** The phase after these events, and what was done by the last one. */
function after(events: readonly RecordingEvent[], first: RecordingPhase = WRITING) {
  let step = { phase: first, actions: FIRST_STEP.actions };
  for (const event of events) step = { ...nextPhase(step.phase, event, COME_BACK_MS) } as typeof step;
  return { name: step.phase.name, phase: step.phase, actions: step.actions };
}
const ended = (reason: Extract<RecordingEvent, { name: 'part_ended' }>['reason']): RecordingEvent => ({
  name: 'part_ended',
  reason,
});

describe('nextPhase', () => {
  it('waits for a publisher who left, and goes on in a new part when they come back', () => {
    const gone = after([{ name: 'source_ended' }, ended('source_ended')]);
    assert.deepEqual([gone.name, gone.actions], ['away', [{ name: 'set_timer', ms: COME_BACK_MS }]]);
    const back = after([{ name: 'source_ended' }, ended('source_ended'), { name: 'live' }]);
    assert.deepEqual([back.name, back.actions], ['writing', [{ name: 'clear_timer' }, { name: 'start_part' }]]);
  });

  it('ends when the publisher stays away', () => {
    const { name, actions } = after([{ name: 'source_ended' }, ended('source_ended'), { name: 'timer' }]);
    assert.deepEqual([name, actions], ['over', [{ name: 'clear_timer' }, { name: 'finish' }]]);
  });

  it('begins a new part at once when the codec changes', () => {
    const { name, actions } = after([ended('codec_changed')]);
    assert.deepEqual([name, actions], ['writing', [{ name: 'clear_timer' }, { name: 'start_part' }]]);
  });

  it('begins a new part when the source was live again before the old part ended', () => {
    const { name } = after([{ name: 'source_ended' }, { name: 'live' }, ended('source_ended')]);
    assert.equal(name, 'retrying');
  });

  for (const reason of ['disk_full', 'disk_failed', 'recorder_lost', 'source_ended'] as const) {
    it(`tries again, later each time, after ${reason} while the source is live`, () => {
      let phase: RecordingPhase = WRITING;
      const delays: number[] = [];
      for (let attempt = 0; attempt < 9; attempt += 1) {
        const failed = nextPhase(phase, ended(reason), COME_BACK_MS);
        delays.push(...failed.actions.flatMap((action) => (action.name === 'set_timer' ? action.ms : [])));
        const again = nextPhase(failed.phase, { name: 'timer' }, COME_BACK_MS);
        assert.deepEqual(again.actions, [{ name: 'start_part' }]);
        phase = again.phase;
      }
      assert.deepEqual(delays, [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    });
  }

  it('tries soon again after a part that was written for a while', () => {
    const { phase } = after([ended('disk_failed'), { name: 'timer' }, ended('disk_failed'), { name: 'timer' }]);
    const { phase: failed } = nextPhase(
      nextPhase(phase, { name: 'part_started' }, COME_BACK_MS).phase,
      ended('disk_failed'),
      COME_BACK_MS,
    );
    assert.deepEqual(failed, { name: 'retrying', attempt: 0 });
  });

  it('tries again when there is nothing to tap', () => {
    const { phase, actions } = after([{ name: 'tap_missing' }]);
    assert.deepEqual([phase, actions], [{ name: 'retrying', attempt: 0 }, [{ name: 'set_timer', ms: 250 }]]);
  });

  it('ends a part that goes on although its source ended', () => {
    const waiting = after([{ name: 'source_ended' }]);
    assert.deepEqual(waiting.actions, [{ name: 'set_timer', ms: LAST_FRAMES_MS }]);
    assert.deepEqual(after([{ name: 'source_ended' }, { name: 'timer' }]).actions, [{ name: 'stop_part' }]);
  });

  it('finishes after a stop when its part has ended', () => {
    const stopping = after([{ name: 'stop' }]);
    assert.deepEqual(stopping.actions, [{ name: 'clear_timer' }, { name: 'stop_part' }]);
    assert.equal(after([{ name: 'stop' }, { name: 'live' }, { name: 'timer' }]).name, 'stopping');
    assert.deepEqual(after([{ name: 'stop' }, ended('stopped')]).actions, [
      { name: 'clear_timer' },
      { name: 'finish' },
    ]);
  });

  it('never has two parts, ends once, and always ends after a stop', () => {
    const event = fc.oneof(
      fc.constantFrom<RecordingEvent>({ name: 'live' }, { name: 'source_ended' }, { name: 'timer' }, { name: 'stop' }),
      fc.constantFrom<RecordingEvent>({ name: 'part_started' }, { name: 'tap_missing' }),
      fc
        .constantFrom('stopped', 'source_ended', 'codec_changed', 'disk_full', 'disk_failed', 'recorder_lost')
        .map((reason) => ended(reason as 'stopped')),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let phase = FIRST_STEP.phase;
        let hasPart = true;
        let hasTimer = false;
        let finishes = 0;
        const take = (given: RecordingEvent) => {
          // What cannot happen: events of a part that does not exist, of a timer that does not run.
          const isOfPart = ['part_started', 'part_ended', 'tap_missing'].includes(given.name);
          if ((isOfPart && !hasPart) || (given.name === 'timer' && !hasTimer)) return;
          if (given.name === 'timer') hasTimer = false;
          if (given.name === 'part_ended' || given.name === 'tap_missing') hasPart = false;
          const step = nextPhase(phase, given, COME_BACK_MS);
          phase = step.phase;
          for (const action of step.actions) {
            if (action.name === 'start_part') {
              assert.equal(hasPart, false, 'a second part begins');
              hasPart = true;
            }
            if (action.name === 'stop_part') assert.equal(hasPart, true, 'a part is stopped that does not exist');
            if (action.name === 'set_timer') hasTimer = action.ms > 0;
            if (action.name === 'clear_timer') hasTimer = false;
            if (action.name === 'finish') {
              assert.equal(hasPart, false, 'it finishes while a part is written');
              finishes += 1;
            }
          }
          assert.equal(hasPart, phase.name === 'writing' || phase.name === 'stopping');
          // Nothing waits for ever for an event that nobody sends.
          if (phase.name === 'retrying' || phase.name === 'away') assert.equal(hasTimer, true);
        };
        events.forEach(take);
        take({ name: 'stop' });
        take(ended('stopped'));
        assert.deepEqual([phase.name, finishes, hasTimer], ['over', 1, false]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('retryDelayMs', () => {
  it('grows, and stays below a limit', () => {
    assert.deepEqual([0, 1, 6, 1_000].map(retryDelayMs), [250, 500, 15_000, 15_000]);
  });
});
