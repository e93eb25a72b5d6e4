import { Counter } from 'prom-client';
import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { Emitter } from '../faults/emitter.js';
import type { TokenKind } from '../tokens/token-record.js';
import type { MetricsPart } from './metrics.js';

interface DecisionEvents {
  /** `allowed`, or why not. */
  decided: [kind: TokenKind, outcome: 'allowed' | RuleRefusalCode];
}

/** What the server decided about callers, and about sessions that it ended. */
export class Decisions extends Emitter<DecisionEvents> {
  constructor() {
    super('admission');
  }

  decided(...decision: DecisionEvents['decided']): void {
    this.emit('decided', ...decision);
  }
}

export function admissionMetrics(decisions: Decisions): MetricsPart {
  return (registry) => {
    const counter = new Counter({
      name: 'streamgate_decisions_total',
      help: 'Decisions about callers and open sessions, by what was wanted and by the outcome: allowed, or the refusal code',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    decisions.on('decided', (kind, outcome) => counter.inc({ kind, outcome }));
  };
}
