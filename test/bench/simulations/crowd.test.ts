import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { crowdCosts, type CrowdCosts } from '../../../bench/simulations/crowd-costs.js';
import { sizeOfCrowd, sizeOfServer } from '../../../bench/simulations/crowd.js';
import { withCrowdReport } from '../../../bench/simulations/scaling-page.js';

const costsWith = (values: Partial<Record<keyof CrowdCosts, number>>): CrowdCosts => ({
  ...crowdCosts,
  ...Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { ...crowdCosts[name as keyof CrowdCosts], value }]),
  ),
});

describe('the simulation of a crowd', () => {
  it('is what docs/scaling.md shows (npm run simulate -- crowd --write)', async () => {
    const page = readFileSync(new URL('../../../docs/scaling.md', import.meta.url), 'utf8');
    assert.equal(page, await withCrowdReport(page));
  });

  it('counts packets, cores and network of a server', () => {
    const costs = costsWith({ packetMicros: 10, streamKbps: 880, busy: 0.5, cores: 3, networkMbps: 1_000 });
    assert.deepEqual(sizeOfServer(costs), {
      packetsPerViewer: 150,
      viewersPerCore: 333,
      byCores: 666,
      byNetwork: 502,
      viewers: 502,
      serversOfStream: 67,
    });
  });

  it('says where more servers do not help: one media process sends the stream to all others', () => {
    const { viewers, serversOfStream } = sizeOfServer(crowdCosts);
    const most = serversOfStream * viewers - (serversOfStream - 1) * crowdCosts.relayedPackets.value;
    assert.equal(sizeOfCrowd(most, crowdCosts).servers, serversOfStream);
    assert.ok(sizeOfCrowd(most, crowdCosts).originShare <= 1);
    assert.equal(sizeOfCrowd(most + 1, crowdCosts).servers, undefined);
  });

  it('gives every viewer and every further server a place, with as few servers as possible', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 50 }), (viewers, relayedPackets) => {
        const costs = costsWith({ relayedPackets });
        const { viewers: perServer } = sizeOfServer(costs);
        const { servers } = sizeOfCrowd(viewers, costs);
        assert.ok(servers !== undefined);
        const needed = (count: number) => viewers + (count - 1) * relayedPackets;
        assert.ok(servers * perServer >= needed(servers));
        assert.ok(servers === 1 || (servers - 1) * perServer < needed(servers - 1));
      }),
    );
  });

  it('names source and date of every figure', () => {
    for (const { what, source, date } of Object.values(crowdCosts)) {
      assert.ok(source.length > 0, what);
      assert.match(date, /^\d{4}-\d{2}-\d{2}$/, what);
    }
  });
});
