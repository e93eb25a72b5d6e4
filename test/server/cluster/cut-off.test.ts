import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { EXPIRES_AFTER_MS, STOPS_AFTER_MS } from '../../../server/cluster/lease-times.js';
import { Cleanup } from '../../support/cleanup.js';
import { clusterNode } from '../../support/cluster.js';
import { until } from '../../support/media/until.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { TcpGate } from '../../support/tcp-gate.js';
import { websocketSessions } from '../../support/websocket-sessions.js';

/** It may have the names for so long, and a second more. */
const TOLD_WITHIN_MS = 2 * (EXPIRES_AFTER_MS + 1_000);

describe('a server that is cut off from the database', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  /** A viewer waits on a server, which is then cut off. */
  const cutOff = async ({ hasOthers }: { readonly hasOthers: boolean }) => {
    const databaseUrl = await postgres.migratedDatabase();
    const gate = await TcpGate.open(cleanup, databaseUrl);
    const node = await clusterNode(cleanup, gate.urlOf(databaseUrl));
    const other = hasOthers ? await clusterNode(cleanup, databaseUrl) : undefined;
    const { viewer } = await websocketSessions(() => node).view();
    if (other) await until('they know each other', () => node.log.text.includes('another server is on the database'));
    const stopped = until('it stops its broadcasts', () => node.log.text.includes('it stops its broadcasts'));
    gate.close();
    await stopped;
    const migrations = () => viewer.frames.filter(({ name }) => name === 'migrate').length;
    return { viewer, migrations };
  };

  it('has viewers look for their stream on the others, and keeps those who find none', async () => {
    const { viewer, migrations } = await cutOff({ hasOthers: true });
    assert.equal(migrations(), 0);
    await until('the viewer is told', () => migrations() === 1, TOLD_WITHIN_MS);
    assert.equal(viewer.socket.readyState, viewer.socket.OPEN);
  });

  it('has nobody look where there is no other', async () => {
    const { migrations } = await cutOff({ hasOthers: false });
    await pause(EXPIRES_AFTER_MS - STOPS_AFTER_MS + 2_000);
    assert.equal(migrations(), 0);
  });
});
