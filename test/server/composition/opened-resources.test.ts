import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { readConfig, type Config } from '../../../server/config/config.js';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { OpenedResources } from '../../../server/composition/opened-resources.js';
import { createStreamServer } from '../../../server/composition/stream-server.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { until } from '../../support/media/until.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const log = pino({ level: 'silent' });
const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;

describe('OpenedResources', () => {
  it('closes all resources once, the newest first, and reports those that failed', async () => {
    const opened = new OpenedResources();
    const closed: string[] = [];
    const error = new Error('stuck');
    opened.add(() => closed.push('first'));
    opened.add(() => Promise.reject(error));
    opened.add(async () => {
      await Promise.resolve();
      closed.push('last');
    });
    const [one, other] = await Promise.allSettled([opened.close(), opened.close()]);
    assert.deepEqual(closed, ['last', 'first']);
    assert.deepEqual(one, other);
    assert.ok(one.status === 'rejected' && one.reason instanceof AggregateError);
    assert.deepEqual(one.reason.errors, [error]);
  });
});

describe('OpenedResources after a failure', () => {
  it('closes all resources but those of the caller', async () => {
    const opened = new OpenedResources();
    const closed: string[] = [];
    opened.add(() => closed.push('first'));
    opened.addOfCaller(() => closed.push('of the caller'));
    opened.add(() => closed.push('last'));
    await opened.abandon();
    assert.deepEqual(closed, ['last', 'first']);
  });
});

describe('a server that cannot be created', () => {
  const configOf = (folder: string): Config =>
    readConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, MEDIA_UDP_PORT: '0', MEDIA_WORKERS: '1' });

  /** Records each read of the configuration in order. `fails` can make a read throw. */
  const recorded = (config: Config, read: string[], fails: (turn: number) => boolean = () => false): Config =>
    new Proxy(config, {
      get(target, name, receiver) {
        read.push(String(name));
        if (fails(read.length - 1)) throw new Error(`step ${read.length - 1}`);
        return Reflect.get(target, name, receiver);
      },
    });

  it('leaves no media process behind, at the first and at the last step after it', async () => {
    const folder = await dataFolder(cleanup);
    const before = processes();
    const read: string[] = [];
    const whole = await createStreamServer(recorded(configOf(folder), read), { log });
    assert.ok(processes() > before, 'the server has a media process');
    await whole.close();
    const late = read.indexOf('mediaAnnouncedIps') + 1;
    assert.ok(late > 0 && read.length - late >= 4, `steps after the media engine: ${read.slice(late).join(', ')}`);

    for (const step of [late, read.length - 1]) {
      const config = recorded(configOf(folder), [], (turn) => turn === step);
      const created = createStreamServer(config, { log });
      // A server that was created after all would keep this process alive.
      cleanup.after(() => created.then((server) => server.close()).catch(() => {}));
      await assert.rejects(created, { message: `step ${step}` });
      await until(`nothing is left of step ${step}`, () => processes() === before);
    }
  });

  it('leaves an engine of the caller open', async () => {
    const engine = new FakeEngine();
    let closed = 0;
    const close = engine.close.bind(engine);
    engine.close = () => {
      closed += 1;
      return close();
    };
    const read: string[] = [];
    const folder = await dataFolder(cleanup);
    const whole = await createStreamServer(recorded(configOf(folder), read), { log, engine });
    await whole.close();
    assert.equal(closed, 1);
    const config = recorded(configOf(folder), [], (turn) => turn === read.length - 1);
    await assert.rejects(createStreamServer(config, { log, engine }), /step/);
    assert.equal(closed, 1);
  });
});
