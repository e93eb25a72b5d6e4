import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReactiveControllerHost } from 'lit';
import type { BroadcasterPhase } from '../../src/client/broadcaster/broadcaster-phase.js';
import { UnreachableError } from '../../src/client/errors.js';
import type { ViewerPhase } from '../../src/client/viewer/viewer-phase.js';
import type { StreamPhaseChangeEvent } from '../../src/elements/events.js';
import { RunController } from '../../src/elements/run-controller.js';

type Phase = ViewerPhase | BroadcasterPhase;

/** The changes that a tag reports while its runner is in these phases, one after the other. */
function reported(phases: readonly [Phase, ...Phase[]]): readonly (readonly [Phase, Phase])[] {
  const runner = Object.assign(new EventTarget(), { phase: phases[0], start() {}, stop() {} });
  const host: EventTarget & ReactiveControllerHost = Object.assign(new EventTarget(), {
    addController() {},
    removeController() {},
    requestUpdate() {},
    updateComplete: Promise.resolve(true),
  });
  const changes: (readonly [Phase, Phase])[] = [];
  host.addEventListener('stream-phase-change', (event) => {
    const { previous, current } = event as StreamPhaseChangeEvent<Phase>;
    changes.push([previous, current]);
  });
  const controller = new RunController<object, Phase>(host, runner, { options: () => undefined, onPhase: () => {} });
  controller.forget();
  for (const phase of phases.slice(1)) {
    runner.phase = phase;
    runner.dispatchEvent(new Event('phasechange'));
  }
  return changes;
}

describe('stream-phase-change', () => {
  it('is not sent for a phase like the one before: a broadcaster starts once its code is loaded', () => {
    const [idle, loading, starting]: BroadcasterPhase[] = [
      { name: 'idle' },
      { name: 'starting' },
      { name: 'starting' },
    ];
    assert.deepEqual(reported([idle!, loading!, starting!]), [[idle, loading]]);
  });

  it('is not sent for a phase like the one before: the tracks of a viewer changed', () => {
    const media = {} as MediaStream;
    const live: ViewerPhase = { name: 'live', media, viewers: 1 };
    assert.deepEqual(reported([{ name: 'waiting' }, live, { ...live }]), [[{ name: 'waiting' }, live]]);
  });

  it('is sent where a field is new, is gone, or has another value', () => {
    const media = {} as MediaStream;
    const one: ViewerPhase = { name: 'live', media, viewers: 1 };
    const interrupted: ViewerPhase = { ...one, interrupted: true };
    const two: ViewerPhase = { ...one, viewers: 2 };
    const lost = { name: 'reconnecting', attempt: 1, error: new UnreachableError('lost'), retryInMs: 1 } as const;
    const again = { ...lost, attempt: 2 };
    assert.deepEqual(reported([one, interrupted, one, two, lost, again]), [
      [one, interrupted],
      [interrupted, one],
      [one, two],
      [two, lost],
      [lost, again],
    ]);
  });
});
