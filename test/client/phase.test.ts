import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PhaseTarget, terminalPhase } from '../../src/client/phase.js';
import { RejectedError, UnreachableError } from '../../src/client/errors.js';

type Phase = 'idle' | 'live';

class Light extends PhaseTarget<Phase, Phase> {
  constructor() {
    super('idle', (_, event) => event);
  }
  become(phase: Phase): void {
    this.move(phase);
  }
}

it('dispatches phasechange with the previous and the current phase, after the change', () => {
  const light = new Light();
  const changes: Phase[][] = [];
  light.addEventListener('phasechange', ({ previous, current }) => changes.push([previous, current, light.phase]));
  light.become('live');
  light.become('idle');
  assert.deepEqual(changes, [
    ['idle', 'live', 'live'],
    ['live', 'idle', 'idle'],
  ]);
});

it('dispatches nothing where the phase stays the same', () => {
  const light = new Light();
  light.addEventListener('phasechange', () => assert.fail('nothing changed'));
  light.become('idle');
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
