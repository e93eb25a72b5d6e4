import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { valuesIn } from '../../support/metrics.js';
import { streamServer } from '../../support/stream-server.js';

const METRICS_TOKEN = 'a-token-of-32-characters-or-more';

describe('the health of a server whose media engine is away', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const open = async () => {
    const server = await streamServer(cleanup, { METRICS_TOKEN });
    const ask = async (path: string) => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const response = await fetch(server.origin + path, { headers });
      return { status: response.status, text: await response.text() };
    };
    const problems = async () => {
      const { text } = await ask('/metrics');
      return valuesIn(text).get('streamgate_problems{code="engine_unavailable"}');
    };
    return { engine: server.engine, ask, problems };
  };

  it('is not in /livez: a restart would not help, and disconnects everyone', async () => {
    const { engine, ask } = await open();
    engine.crash();
    const { status, text } = await ask('/livez');
    assert.deepEqual([status, JSON.parse(text)], [200, { status: 'success', data: { alive: true } }]);
  });

  for (const [path, name, more] of [
    ['/healthz', 'up', {}],
    ['/readyz', 'ready', { warnings: [], faults: [] }],
  ] as const) {
    it(`is in ${path}, with the component that is away, until it is back`, async () => {
      const { engine, ask, problems } = await open();
      engine.crash();
      const { status, text } = await ask(path);
      const { data } = JSON.parse(text);
      const fault = { component: 'fake', message: 'the fake engine is down', since: '1970-01-01T00:00:01.000Z' };
      assert.deepEqual([status, data.code, data[name]], [503, 'engine_unavailable', false]);
      assert.deepEqual(data.problems, [{ code: 'engine_unavailable', ...fault }]);
      assert.equal(await problems(), 1);
      engine.recover();
      const back = await ask(path);
      assert.deepEqual([back.status, JSON.parse(back.text).data], [200, { [name]: true, problems: [], ...more }]);
      assert.equal(await problems(), 0);
    });
  }
});
