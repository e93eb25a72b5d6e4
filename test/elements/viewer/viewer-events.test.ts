import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnreachableError } from '../../../src/client/errors.js';
import { VIEWER_IDLE, type ViewerPhase } from '../../../src/client/viewer/viewer-phase.js';
import { viewerEvents } from '../../../src/elements/viewer/viewer-events.js';

// Node has no MediaStream. Only its identity matters here.
const media = {} as MediaStream;
const error = new UnreachableError('gone');
const connecting: ViewerPhase = { name: 'connecting', media };
const waiting: ViewerPhase = { name: 'waiting' };
const live = (viewers?: number): ViewerPhase => ({ name: 'live', media, viewers });
const interrupted = (viewers?: number): ViewerPhase => ({ name: 'live', media, viewers, interrupted: true });
const ended: ViewerPhase = { name: 'ended' };
const reconnecting: ViewerPhase = { name: 'reconnecting', attempt: 1, error, retryInMs: 250 };
const rejected: ViewerPhase = { name: 'rejected', reason: 'token_expired', message: 'expired', retryable: false };
const failed: ViewerPhase = { name: 'failed', error };

describe('the events of a phase change', () => {
  const steps: readonly [from: ViewerPhase, to: ViewerPhase, events: readonly string[]][] = [
    [VIEWER_IDLE, { name: 'authorizing' }, []],
    [{ name: 'authorizing' }, connecting, []],
    [connecting, waiting, ['stream-waiting']],
    [waiting, { name: 'waiting', media }, []],
    [connecting, live(), ['stream-live']],
    [waiting, live(3), ['stream-live', 'stream-viewer-count']],
    [live(), live(3), ['stream-viewer-count']],
    [live(3), live(3), []],
    [live(3), live(), []],
    [live(3), ended, ['stream-ended', 'ended']],
    [live(3), interrupted(3), ['stream-interrupted']],
    [connecting, interrupted(), ['stream-interrupted']],
    [interrupted(3), interrupted(2), ['stream-viewer-count']],
    [interrupted(3), live(3), ['stream-live']],
    [interrupted(3), ended, ['stream-ended', 'ended']],
    [ended, waiting, ['stream-waiting']],
    [live(3), reconnecting, ['stream-error']],
    [reconnecting, live(3), ['stream-live', 'stream-viewer-count']],
    [reconnecting, failed, ['stream-error', 'error']],
    [live(3), rejected, ['stream-rejected', 'error']],
    [live(3), VIEWER_IDLE, []],
  ];
  const named = (phase: ViewerPhase): string =>
    phase.name === 'live'
      ? `live with ${phase.viewers ?? 'an unknown number of'} viewers${phase.interrupted ? ', interrupted' : ''}`
      : phase.name;
  for (const [from, to, events] of steps) {
    it(`are ${events.join(' and ') || 'none'} when ${named(from)} becomes ${named(to)}`, () => {
      assert.deepEqual(
        [...viewerEvents(to, from, 'keynote')].map(({ type }) => type),
        events,
      );
    });
  }

  /** Only the events of Streamgate: those of a video have no fields. */
  const streamEvents = (phases: readonly ViewerPhase[]): Event[] =>
    phases
      .flatMap((phase) => Array.from(viewerEvents(phase, connecting, 'keynote')))
      .filter(({ type }) => type.startsWith('stream-'));

  it('have whether and when the viewer tries again', () => {
    assert.deepEqual(
      streamEvents([reconnecting, failed]).map((event) => [
        Reflect.get(event, 'retrying'),
        Reflect.get(event, 'retryInMs'),
      ]),
      [
        [true, 250],
        [false, undefined],
      ],
    );
  });

  it('have the stream name, the number of viewers, the error, the refusal code and its message', () => {
    assert.deepEqual(
      streamEvents([live(3), ended, waiting, failed, rejected]).map((event) =>
        ['streamName', 'viewers', 'error', 'reason', 'message'].flatMap((name) => Reflect.get(event, name) ?? []),
      ),
      [['keynote'], [3], ['keynote'], ['keynote'], [error], ['token_expired', 'expired']],
    );
  });
});
