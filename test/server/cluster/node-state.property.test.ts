import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EXPIRES_AFTER_MS, HEARTBEAT_MS } from '../../../server/cluster/lease-times.js';
import { nextNodeState, OUT, type NodeInput, type NodeState } from '../../../server/cluster/node-state.js';

/** The row of a node, and who has the name. Times are the database's. */
class ModelDatabase {
  readonly #nodes = new Map<number, { epoch: number; heartbeat: number }>();
  #holder: { node: number; epoch: number } | undefined;

  execute(statement: Statement, now: number): number | undefined {
    const { node, epoch } = statement;
    if (statement.type === 'join') {
      if ((this.#nodes.get(node)?.epoch ?? 0) < epoch) this.#nodes.set(node, { epoch, heartbeat: now });
      return epoch;
    }
    if (!this.#isAlive(statement, now)) return undefined;
    if (statement.type === 'beat') this.#nodes.get(node)!.heartbeat = now;
    else {
      if (this.#holder && this.#holder.node !== node && this.#isAlive(this.#holder, now)) return undefined;
      this.#holder = { node, epoch };
    }
    return epoch;
  }

  #isAlive({ node, epoch }: { readonly node: number; readonly epoch: number }, now: number): boolean {
    const known = this.#nodes.get(node);
    return known?.epoch === epoch && now - known.heartbeat < EXPIRES_AFTER_MS;
  }
}

interface Statement {
  readonly type: 'join' | 'beat' | 'claim';
  readonly node: number;
  readonly epoch: number;
  readonly sentAt: number;
}

/** A node whose process can be paused. Its monotonic clock has an origin of its own. */
class ModelNode {
  state: NodeState = OUT;
  /** The epoch in which the node was given the name. */
  publishes: number | undefined;
  /** What the processes of the media engine were told last. */
  engineUntil = 0;
  pausedUntil = 0;
  lastSentAt = -Infinity;
  lastEpoch = 0;

  constructor(readonly index: number) {}

  /** The packets of the publisher reach viewers: the engine does not depend on the process that may be paused. */
  isSending(now: number): boolean {
    return this.publishes !== undefined && now < this.engineUntil;
  }

  apply(input: NodeInput): void {
    const before = this.state;
    this.state = nextNodeState(before, input);
    if (this.state.name !== 'in') this.publishes = undefined;
    else {
      this.engineUntil = this.state.until;
      if (this.state.epoch !== this.publishes) this.publishes = undefined;
    }
  }
}

const NODES = 3;
const STEP_MS = 100;

const anyStep = fc.record({
  node: fc.nat({ max: NODES - 1 }),
  /** How long a statement is on its way to the database, and its answer back. */
  thereMs: fc.integer({ min: 0, max: 9_000 }),
  backMs: fc.integer({ min: 0, max: 9_000 }),
  pauseMs: fc.oneof({ weight: 19, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 15_000 })),
  claims: fc.boolean(),
  slow: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
});

describe('nodes, whatever is late, paused or lost', () => {
  it('never send the same name at the same time', () => {
    let handovers = 0;
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 100, maxLength: 300, size: 'max' }), (steps) => {
        const database = new ModelDatabase();
        const nodes = Array.from({ length: NODES }, (_, index) => new ModelNode(index));
        const travelling: { readonly at: number; readonly run: () => void }[] = [];
        let last: number | undefined;
        let now = 0;
        const send = (node: ModelNode, type: Statement['type'], delays: (typeof steps)[number]) => {
          if (type === 'join') node.lastEpoch += 1;
          const epoch = node.state.name === 'in' ? node.state.epoch : node.lastEpoch;
          const statement = { type, node: node.index, epoch, sentAt: now };
          const [thereMs, backMs] = delays.slow
            ? [delays.thereMs, delays.backMs]
            : [delays.thereMs % 50, delays.backMs % 50];
          const executeAt = now + thereMs;
          travelling.push({
            at: executeAt,
            run: () => {
              const answer = database.execute(statement, executeAt);
              travelling.push({ at: executeAt + backMs, run: () => receive(node, statement, answer) });
            },
          });
        };
        const receive = (node: ModelNode, statement: Statement, answer: number | undefined) => {
          // A paused process reads its answers when it wakes.
          if (now < node.pausedUntil) {
            travelling.push({ at: node.pausedUntil, run: () => receive(node, statement, answer) });
            return;
          }
          if (statement.type === 'join') {
            // An attempt begins when the one before has ended, well or not: nobody waits for an earlier answer.
            if (statement.epoch !== node.lastEpoch) return;
            node.apply({ name: 'joined', epoch: answer!, sentAt: statement.sentAt, now });
          } else if (statement.type === 'beat') {
            if (answer === undefined) node.apply({ name: 'expired', epoch: statement.epoch });
            else node.apply({ name: 'renewed', epoch: answer, sentAt: statement.sentAt, now });
          } else if (answer !== undefined) {
            node.apply({ name: 'time-passed', now });
            if (node.state.name === 'in' && node.state.epoch === answer) node.publishes = answer;
          }
        };
        for (const step of steps) {
          const node = nodes[step.node]!;
          if (step.pauseMs > 0 && now >= node.pausedUntil) node.pausedUntil = now + step.pauseMs;
          for (let turn = 0; turn < 5; turn += 1) {
            now += STEP_MS;
            for (let due = next(travelling, now); due; due = next(travelling, now)) due.run();
            for (const each of nodes) {
              if (now < each.pausedUntil) continue;
              each.apply({ name: 'time-passed', now });
              if (now - each.lastSentAt < HEARTBEAT_MS) continue;
              each.lastSentAt = now;
              send(each, each.state.name === 'in' ? 'beat' : 'join', step);
            }
            if (turn === 0 && step.claims && node.state.name === 'in' && now >= node.pausedUntil)
              send(node, 'claim', step);
            const sending = nodes.filter((each) => each.isSending(now)).map(({ index }) => index);
            assert.ok(sending.length <= 1, `nodes ${sending.join(' and ')} both send at ${now}`);
            if (sending.length === 1 && last !== sending[0]) {
              handovers += last === undefined ? 0 : 1;
              last = sending[0];
            }
          }
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(handovers > 20, `the name moved only ${handovers} times: the property says little`);
  });
});

function next(travelling: { readonly at: number; readonly run: () => void }[], now: number) {
  const index = travelling.findIndex(({ at }) => at <= now);
  return index === -1 ? undefined : travelling.splice(index, 1)[0];
}
