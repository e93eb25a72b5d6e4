import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createServer } from 'vite';
import { received, sent } from '../../demo/simulation/figures.js';
import { simulated, situationAt } from '../../demo/simulation/situation.js';
import { healthBetween, readSent } from '../../src/elements/broadcaster/health.js';
import { figuresBetween, readSample } from '../../src/elements/viewer/figures.js';

const ROOT = join(import.meta.dirname, '../..');

describe('the play that needs no server', () => {
  it('is asked for by an endpoint', () => {
    assert.deepEqual(situationAt(simulated('rejected/token_expired')), { name: 'rejected', detail: 'token_expired' });
    assert.deepEqual(situationAt('simulated:live'), { name: 'live', detail: '' });
    assert.equal(situationAt('https://live.example.com'), undefined);
    assert.equal(situationAt(''), undefined);
  });

  it('has figures as a viewer reads them', () => {
    const { height, bitrate, latency } = figuresBetween(readSample(received(10, 720))!, readSample(received(11, 720))!);
    assert.equal(height, 720);
    assert.equal(Math.round(bitrate! / 1e5), 24);
    assert.ok(latency! > 0.05 && latency! < 0.2);
  });

  for (const health of ['good', 'slow', 'lossy', 'busy'] as const) {
    it(`has a connection that is ${health}, as a broadcaster reads it`, () => {
      assert.equal(healthBetween(readSent(sent(10, health))!, readSent(sent(11, health))!).verdict, health);
    });
  }

  it('is given to the tags of the demo, and to nobody else', async (t) => {
    const configFile = join(ROOT, 'demo/vite.config.ts');
    const server = await createServer({ configFile, logLevel: 'error', server: { middlewareMode: true, ws: false } });
    t.after(() => server.close());
    const resolved = async (source: string, importer: string): Promise<string> => {
      const found = await server.environments.client.pluginContainer.resolveId(source, join(ROOT, importer));
      return found!.id.replace(`${ROOT}/`, '');
    };
    const lazyViewer = 'src/elements/viewer/lazy-viewer.ts';
    assert.equal(await resolved('../../client/viewer.js', lazyViewer), 'demo/simulation/viewer.ts');
    assert.equal(await resolved('../../client/errors.js', lazyViewer), 'src/client/errors.ts');
    assert.equal(await resolved('./client/viewer.js', 'src/index.ts'), 'src/client/viewer.ts');
    assert.equal(await resolved('../../src/client/viewer.js', 'demo/simulation/viewer.ts'), 'src/client/viewer.ts');
  });
});
