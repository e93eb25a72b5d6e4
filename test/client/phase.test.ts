import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PhaseTarget, terminalPhase } from '../../src/client/phase.js';
import { RejectedError, UnreachableError } from '../../src/client/errors.js';

type Phase = 'idle' | 'live';

class TestTarget extends PhaseTarget<Phase, Phase> {
  constructor() {
    super('idle', (_, event) => event);
  }
  become(phase: Phase): void {
    this.move(phase);
  }
}

it('dispatches phasechange with the previous and the current phase, after the change', () => {
  const target = new TestTarget();
  const changes: Phase[][] = [];
  target.addEventListener('phasechange', ({ previous, current }) => changes.push([previous, current, target.phase]));
  target.become('live');
  target.become('idle');
  assert.deepEqual(changes, [
    ['idle', 'live', 'live'],
    ['live', 'idle', 'idle'],
  ]);
});

it('dispatches nothing where the phase stays the same', () => {
  const target = new TestTarget();
  target.addEventListener('phasechange', () => assert.fail('nothing changed'));
  target.become('idle');
});

it('ends as rejected after a refusal, and as failed after any other error', () => {
  const refused = new RejectedError('token_expired', 'Token expired');
  assert.deepEqual(terminalPhase(refused), {
    name: 'rejected',
    reason: 'token_expired',
    message: 'Token expired',
    retryable: false,
  });
  const error = new UnreachableError('no answer');
  assert.deepEqual(terminalPhase(error), { name: 'failed', error });
});
