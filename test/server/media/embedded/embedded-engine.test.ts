import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { typescriptArguments } from '../../../../scripts/run-command.js';
import { createEmbeddedEngine } from '../../../../server/media/embedded/embedded-engine.js';
import { availableUdpPort } from '../../../../server/media/embedded/transport/udp-port.js';
import { networkHarness } from '../../../support/media/media-harness.js';
import { patient } from '../../../support/media/patient-engine.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { RtpPeer } from '../../../support/media/rtp-peer.js';
import { until } from '../../../support/media/until.js';
import { mediaEngineContract } from '../engine/media-engine.contract.js';

const LOOPBACK = { bindAddress: '127.0.0.1', udpPort: 0 };

mediaEngineContract('EmbeddedEngine', async () => networkHarness(await createEmbeddedEngine(LOOPBACK)));

async function openEngine(t: TestContext) {
  const logged: string[] = [];
  const engine = patient(await createEmbeddedEngine({ ...LOOPBACK, onLog: ({ level }) => logged.push(level) }));
  t.after(() => engine.close());
  return { engine, logged };
}

describe('when the only worker dies', () => {
  it('loses every session and ends every live stream', async (t) => {
    const { engine, logged } = await openEngine(t);
    const said: unknown[][] = [];
    engine.on('session-lost', (...event) => said.push(['session-lost', ...event]));
    engine.on('ended', (...event) => said.push(['ended', ...event]));
    const publisher = await RtpPeer.open({ role: 'publisher' });
    t.after(() => publisher.close());
    const published = await engine.publish('live', publisher.offer);
    const waiting = await engine.view('not live', sdpOffer());
    const closed = await engine.view('not live', sdpOffer());
    closed.close();
    await publisher.accept(published);
    publisher.sendFrame();
    await once(engine, 'live');

    process.kill(engine.pid!, 'SIGKILL');
    await until('all sessions are lost', () => said.length >= 3);
    assert.deepEqual(said, [
      ['session-lost', published.id, 'media_engine_restarted'],
      ['session-lost', waiting.id, 'media_engine_restarted'],
      ['ended', 'live', null],
    ]);
    assert.ok(logged.includes('error'));
  });

  it('refuses calls, pending ones too, until a new process uses the same port', async (t) => {
    const { engine } = await openEngine(t);
    const { udpPort, pid } = engine;
    const underWay = assert.rejects(engine.view('s', sdpOffer()), { code: 'engine_unavailable' });
    process.kill(pid!, 'SIGKILL');
    await underWay;
    await until('it is removed', () => engine.pid === undefined);
    await assert.rejects(engine.view('s', sdpOffer()), { code: 'engine_unavailable' });

    await until('another process runs', () => engine.pid !== undefined);
    assert.notEqual(engine.pid, pid);
    const { answer } = await engine.view('s', sdpOffer());
    assert.match(answer, new RegExp(` 127\\.0\\.0\\.1 ${udpPort} typ host`));
  });

  it('starts no new process if it is closed meanwhile', async (t) => {
    const { engine } = await openEngine(t);
    const { pid, udpPort } = engine;
    process.kill(pid!, 'SIGKILL');
    await until('it is removed', () => engine.pid === undefined);
    await engine.close();
    assert.equal(engine.pid, undefined);
    assert.equal(await availableUdpPort('127.0.0.1', udpPort), udpPort);
  });
});

it('reports that its port is in use', async (t) => {
  const { engine } = await openEngine(t);
  await assert.rejects(createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: engine.udpPort }), {
    code: 'engine_unavailable',
    message: new RegExp(`UDP port ${engine.udpPort}: the port is in use`),
  });
});

it('reports that an address is not one of this machine', async () => {
  await assert.rejects(createEmbeddedEngine({ bindAddress: '192.0.2.77', udpPort: 0 }), {
    code: 'engine_unavailable',
    message: /192\.0\.2\.77/,
  });
});

it('frees its port when it is closed', async (t) => {
  const { engine } = await openEngine(t);
  await engine.view('s', sdpOffer());
  await engine.close();
  assert.equal(await availableUdpPort('127.0.0.1', engine.udpPort), engine.udpPort);
});

it('names announced addresses instead of its own', async (t) => {
  const engine = await createEmbeddedEngine({ ...LOOPBACK, announcedIps: ['203.0.113.5', '2001:db8::5'] });
  t.after(() => engine.close());
  const { answer } = await engine.view('s', sdpOffer({ kinds: ['video'] }));
  const candidates = [...answer.matchAll(/^a=candidate:\S+ 1 UDP \d+ (\S+) (\d+) typ host/gm)];
  assert.deepEqual(
    candidates.map(([, ip, port]) => [ip, Number(port)]),
    [
      ['203.0.113.5', engine.udpPort],
      ['2001:db8::5', engine.udpPort],
    ],
  );
});

describe('the processes', () => {
  const script = (end: string) => `
    const { createEmbeddedEngine } = await import(${JSON.stringify(
      new URL('../../../../server/media/embedded/embedded-engine.ts', import.meta.url).href,
    )});
    const { sdpOffer } = await import(${JSON.stringify(new URL('../../../support/media/offer.ts', import.meta.url).href)});
    const engine = await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0 });
    const session = await engine.view('s', sdpOffer());
    await engine.view('s', sdpOffer());
    session.close();
    console.log(engine.udpPort);
    ${end}`;

  /** Runs a server with an engine and nothing else. Returns how it ended, and the port of the engine. */
  async function run(end: string) {
    const server = spawn(process.execPath, [...typescriptArguments, '--input-type=module', '--eval', script(end)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 60_000,
    });
    let printed = '';
    server.stdout.on('data', (text: Buffer) => (printed += text.toString()));
    const [code, signal] = (await once(server, 'exit')) as [number | null, string | null];
    return { code, signal, port: Number(printed) };
  }

  it('end by themselves after close()', async () => {
    assert.equal((await run('await engine.close();')).code, 0);
  });

  it('end together: the worker does not outlive the server', async () => {
    const { signal, port } = await run('process.kill(process.pid, "SIGKILL");');
    assert.equal(signal, 'SIGKILL');
    const isFree = () =>
      availableUdpPort('127.0.0.1', port).then(
        () => true,
        () => false,
      );
    await until('the port is free', isFree);
  });
});
