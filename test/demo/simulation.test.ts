import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createServer } from 'vite';
import { receiverStats, senderStats } from '../../demo/simulation/stats.js';
import { simulatedEndpoint, scenarioAt } from '../../demo/simulation/scenario.js';
import { healthBetween, readSentSample } from '../../src/elements/broadcaster/health/health.js';
import { inboundStatsBetween, readInboundSample } from '../../src/client/viewer/inbound-stats.js';

const ROOT = join(import.meta.dirname, '../..');

describe('the simulation of the demo', () => {
  it('is chosen by the endpoint', () => {
    assert.deepEqual(scenarioAt(simulatedEndpoint('rejected/token_expired')), {
      name: 'rejected',
      detail: 'token_expired',
    });
    assert.deepEqual(scenarioAt('simulated:live'), { name: 'live', detail: '' });
    assert.equal(scenarioAt('https://live.example.com'), undefined);
    assert.equal(scenarioAt(''), undefined);
  });

  it('has statistics that a viewer can read', () => {
    const { height, bitrate, latency } = inboundStatsBetween(
      readInboundSample(receiverStats(10, 720))!,
      readInboundSample(receiverStats(11, 720))!,
    );
    assert.equal(height, 720);
    assert.equal(Math.round(bitrate! / 1e5), 24);
    assert.ok(latency! > 0.05 && latency! < 0.2);
  });

  for (const health of ['good', 'slow', 'lossy', 'busy'] as const) {
    it(`has statistics of a broadcast whose health is ${health}`, () => {
      assert.equal(
        healthBetween(readSentSample(senderStats(10, health))!, readSentSample(senderStats(11, health))!).verdict,
        health,
      );
    });
  }

  it('replaces modules only in the imports of the tags', async (t) => {
    const configFile = join(ROOT, 'demo/vite.config.ts');
    const server = await createServer({ configFile, logLevel: 'error', server: { middlewareMode: true, ws: false } });
    t.after(() => server.close());
    const resolved = async (source: string, importer: string): Promise<string> => {
      const found = await server.environments.client.pluginContainer.resolveId(source, join(ROOT, importer));
      return found!.id.replace(`${ROOT}/`, '');
    };
    const lazyViewer = 'src/elements/viewer/lazy-viewer.ts';
    assert.equal(await resolved('../../client/viewer/viewer.js', lazyViewer), 'demo/simulation/viewer.ts');
    assert.equal(await resolved('../../client/errors.js', lazyViewer), 'src/client/errors.ts');
    assert.equal(await resolved('./client/viewer/viewer.js', 'src/index.ts'), 'src/client/viewer/viewer.ts');
    assert.equal(
      await resolved('../../src/client/viewer/viewer.js', 'demo/simulation/viewer.ts'),
      'src/client/viewer/viewer.ts',
    );
  });
});
