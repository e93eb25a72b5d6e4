import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import type { KnownNode } from '../../../server/cluster/cluster-store.js';
import { NodeLog } from '../../../server/cluster/node-log.js';

const OWN = { id: 'own', url: 'https://own.example.com' };
const aNode = (overrides: Partial<KnownNode> = {}): KnownNode => ({
  id: 'other',
  url: 'https://other.example.com',
  epoch: 1,
  isAlive: true,
  ...overrides,
});

describe('NodeLog', () => {
  const opened = () => {
    const lines: string[] = [];
    const write = (line: string) => {
      const { level, node, msg } = JSON.parse(line);
      lines.push(`${pino.levels.labels[level]} ${node} ${msg}`);
    };
    const log = pino({ level: 'info' }, { write });
    return { lines, nodes: new NodeLog(OWN, log) };
  };

  it('says once that a server comes, is lost, and comes back', () => {
    const { lines, nodes } = opened();
    for (const isAlive of [true, true, false, false, true]) nodes.update([aNode({ isAlive }), aNode(OWN)]);
    assert.deepEqual(lines, [
      'info other another server is on the database',
      'warn other another server is lost: its streams are free',
      'info other another server is on the database',
    ]);
  });

  it('says that a server has left, and nothing of one that was lost before', () => {
    const { lines, nodes } = opened();
    nodes.update([aNode({ id: 'dead', isAlive: false }), aNode()]);
    nodes.update([]);
    assert.deepEqual(lines, ['info other another server is on the database', 'info other another server has left']);
  });

  for (const url of [undefined, OWN.url]) {
    it(`warns of a server that clients cannot reach by itself: ${url}`, () => {
      const { lines, nodes } = opened();
      nodes.update([aNode({ url })]);
      assert.match(lines.join(), /warn other clients cannot tell the servers on the database apart/);
    });
  }
});
