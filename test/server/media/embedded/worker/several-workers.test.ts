import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { typescriptArguments } from '../../../../../scripts/run-command.js';
import {
  createEmbeddedEngine,
  type EmbeddedEngineOptions,
} from '../../../../../server/media/embedded/embedded-engine.js';
import { availableUdpPort } from '../../../../../server/media/embedded/transport/udp-port.js';
import type { PlacementPolicy } from '../../../../../server/media/embedded/worker/placement.js';
import type { MediaEngine } from '../../../../../server/media/engine/media-engine.js';
import { networkHarness } from '../../../../support/media/media-harness.js';
import { patient } from '../../../../support/media/patient-engine.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { sequenceNumber } from '../../../../../server/media/embedded/rtp/packet.js';
import { RtpPeer } from '../../../../support/media/rtp-peer.js';
import { until } from '../../../../support/media/until.js';
import { mediaEngineContract } from '../../engine/media-engine.contract.js';

const TWO = { bindAddress: '127.0.0.1', udpPort: 0, workers: 2 };
/** Of processes that are to hang. */
const pingEveryMs = 250;
/** Publishers go to the first running worker, viewers to the last. */
const apart: PlacementPolicy = ({ role }, workers) => [workers.at(role === 'publisher' ? 0 : -1)!.index];

mediaEngineContract('EmbeddedEngine whose viewers are all apart from their publisher', async () =>
  networkHarness(await createEmbeddedEngine({ ...TWO, placement: apart })),
);

async function openEngine(t: TestContext, options: Partial<EmbeddedEngineOptions> = {}) {
  const engine = patient(await createEmbeddedEngine({ ...TWO, ...options }));
  t.after(() => engine.close());
  const said: unknown[][] = [];
  for (const event of ['live', 'ended', 'session-lost'] as const) {
    engine.on(event, (...news: unknown[]) => said.push([event, ...news]));
  }
  return { engine, said };
}

async function publish(t: TestContext, engine: MediaEngine, stream = 's') {
  const peer = await RtpPeer.open({ role: 'publisher' });
  t.after(() => peer.close());
  const session = await engine.publish(stream, peer.offer);
  await peer.accept(session);
  return { peer, session };
}

async function view(t: TestContext, engine: MediaEngine, stream = 's') {
  const peer = await RtpPeer.open({ role: 'viewer' });
  t.after(() => peer.close());
  const session = await engine.view(stream, peer.offer);
  await peer.accept(session);
  return { peer, session };
}

/** Publishers go to the first running worker, viewers to the first of those with the fewest sessions. */
const even: PlacementPolicy = ({ role }, workers) => {
  const fewest = Math.min(...workers.map(({ sessions }) => sessions));
  const worker = role === 'publisher' ? workers[0] : workers.find(({ sessions }) => sessions === fewest);
  return [worker!.index];
};

/** The first of so many consecutive free ports. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await availableUdpPort('127.0.0.1', 0);
    const ports = Array.from({ length: count }, (_, index) => availableUdpPort('127.0.0.1', first + index));
    if ((await Promise.allSettled(ports)).every(({ status }) => status === 'fulfilled')) return first;
  }
}

const portsOf = (answer: string) => new Set([...answer.matchAll(/ (\d+) typ host/g)].map(([, port]) => Number(port)));

describe('a viewer session that was closed', () => {
  it('is released by its own worker before another broadcast begins', async (t) => {
    const { engine } = await openEngine(t, { placement: apart });
    const { session } = await view(t, engine);
    const [first, second] = await Promise.all([1, 2].map(() => RtpPeer.open({ role: 'publisher' })));
    t.after(() => Promise.all([first!.close(), second!.close()]));
    const { pid } = engine.workers[1]!;
    process.kill(pid!, 'SIGSTOP');
    session.close();
    const done: string[] = [];
    const publishing = engine.publish('s', first!.offer).then(() => done.push('s'));
    // Another stream does not wait for it.
    await engine.publish('another', second!.offer).then(() => done.push('another'));
    process.kill(pid!, 'SIGCONT');
    await publishing;
    assert.deepEqual(done, ['another', 's']);
  });
});

describe('a worker that stands still', () => {
  it('is reported long before it would be killed, gets no new sessions, and is well again when it goes on', async (t) => {
    const lastFirst: PlacementPolicy = (_request, workers) => workers.map(({ index }) => index).toReversed();
    const { engine } = await openEngine(t, { placement: lastFirst, pingEveryMs });
    const well = engine.health();
    assert.deepEqual([well.isUsable, well.faults], [true, []]);
    const { pid } = engine.workers[1]!;
    process.kill(pid!, 'SIGSTOP');
    const stoppedAt = Date.now();
    await until('it is reported', () => engine.health().faults.length > 0);
    assert.equal(engine.workers[1]!.pid, pid, 'it is not killed yet');
    const { isUsable, faults } = engine.health();
    const [fault, ...more] = faults;
    assert.deepEqual([isUsable, fault?.component, more], [true, 'media_process_1', []]);
    assert.ok(fault!.since >= stoppedAt && fault!.since <= Date.now());
    await view(t, engine, 'another');
    process.kill(pid!, 'SIGCONT');
    await until('it is well', () => engine.health().faults.length === 0);
    assert.equal(engine.workers[1]!.pid, pid, 'it was not killed');
  });

  it('is reported until another process has taken its place', async (t) => {
    const { engine } = await openEngine(t, { workers: 1 });
    const { pid } = engine.workers[0]!;
    process.kill(pid!, 'SIGKILL');
    await until('it is reported', () => engine.health().faults.length > 0);
    assert.equal(engine.health().isUsable, false);
    await until('it is well', () => engine.health().faults.length === 0);
    assert.notEqual(engine.workers[0]!.pid, pid);
  });
});

describe('when one of two workers is killed', () => {
  it('the sessions of the other continue without a gap', async (t) => {
    const over = new AbortController();
    // Before the viewers’ peers are closed.
    t.after(() => over.abort());
    const { engine, said } = await openEngine(t, { placement: even });
    const publisher = await publish(t, engine);
    const [away, athome] = [await view(t, engine), await view(t, engine)];
    over.signal.addEventListener('abort', publisher.peer.sendEvery(20));
    await until(
      'both viewers receive video',
      () => athome.peer.received('video') > 5 && away.peer.received('video') > 5,
    );

    process.kill(engine.workers[1]!.pid!, 'SIGKILL');
    await until('a session is lost', () => said.some(([event]) => event === 'session-lost'));
    const before = athome.peer.received('video');
    await until('the other viewer receives more', () => athome.peer.received('video') > before + 20);
    assert.deepEqual(said, [
      ['live', 's', null, ['audio', 'video']],
      ['session-lost', away.session.id, 'media_engine_restarted'],
    ]);
    const numbers = athome.peer.rtp.filter((packet) => (packet[1]! & 0x7f) === 96).map(sequenceNumber);
    const expected = numbers.map((_, index) => (numbers[0]! + index) & 0xffff);
    assert.deepEqual(numbers, expected, 'no packet is missing');
  });

  it('lost clients reconnect at once to the other worker, and the killed one is restarted on its port', async (t) => {
    const { engine } = await openEngine(t, { placement: even });
    const ports = engine.workers.map(({ udpPort }) => udpPort);
    const publisher = await publish(t, engine);
    await view(t, engine);
    await view(t, engine);
    const [, { pid }] = engine.workers as [unknown, { pid: number }];
    process.kill(pid, 'SIGKILL');
    await once(engine, 'session-lost');

    const back = await view(t, engine);
    assert.deepEqual([...portsOf(back.session.answer)], [ports[0]]);
    await until('the viewer receives video', () => {
      publisher.peer.sendFrame();
      return back.peer.received('video') > 0;
    });
    await until('the other worker is back', () => engine.workers[1]!.pid !== undefined);
    assert.notEqual(engine.workers[1]!.pid, pid);
    assert.deepEqual(
      engine.workers.map(({ udpPort }) => udpPort),
      ports,
    );
    const other = await view(t, engine);
    assert.deepEqual([...portsOf(other.session.answer)], [ports[1]]);
    await until('the viewer receives video, too', () => {
      publisher.peer.sendFrame();
      return other.peer.received('video') > 0;
    });
  });

  it('that had the publisher, the stream ends, and continues for the viewers of the other when the publisher returns', async (t) => {
    const { engine, said } = await openEngine(t, { placement: apart });
    const first = await publish(t, engine);
    const viewer = await view(t, engine);
    await until('the viewer receives video', () => {
      first.peer.sendFrame();
      return viewer.peer.received('video') > 0;
    });
    process.kill(engine.workers[0]!.pid!, 'SIGKILL');
    await until('the stream ended', () => said.some(([event]) => event === 'ended'));
    assert.deepEqual(said.slice(1), [
      ['session-lost', first.session.id, 'media_engine_restarted'],
      ['ended', 's', null],
    ]);

    const second = await publish(t, engine);
    const before = viewer.peer.received('video');
    await until('the viewer receives video again', () => {
      second.peer.sendFrame();
      return viewer.peer.received('video') > before;
    });
    assert.deepEqual(said.slice(3), [['live', 's', null, ['audio', 'video']]]);
    const stats = await engine.stats('s');
    assert.deepEqual([stats.live, stats.viewers], [true, 1]);
  });

  it('that had the viewers, the events of the stream are not repeated', async (t) => {
    const { engine, said } = await openEngine(t, { placement: ({ role }) => (role === 'publisher' ? [0] : [1]) });
    const publisher = await publish(t, engine);
    const viewer = await view(t, engine);
    await until('the viewer receives video', () => {
      publisher.peer.sendFrame();
      return viewer.peer.received('video') > 0;
    });
    viewer.session.close();
    process.kill(engine.workers[1]!.pid!, 'SIGKILL');
    await until('it is gone', () => engine.workers[1]!.pid === undefined);
    await until('it is back', () => engine.workers[1]!.pid !== undefined);
    assert.deepEqual(said.slice(1), []);
    assert.deepEqual(
      engine.workers.map(({ sessions }) => sessions),
      [1, 0],
    );
  });
});

describe('when one of two workers hangs', () => {
  it('it is killed and restarted, its sessions are lost, and those of the other continue', async (t) => {
    const over = new AbortController();
    t.after(() => over.abort());
    const log: string[] = [];
    const onLog = ({ message }: { readonly message: string }) => log.push(message);
    const { engine, said } = await openEngine(t, { placement: even, pingEveryMs, onLog });
    const publisher = await publish(t, engine);
    const [away, athome] = [await view(t, engine), await view(t, engine)];
    over.signal.addEventListener('abort', publisher.peer.sendEvery(20));
    await until(
      'both viewers receive video',
      () => athome.peer.received('video') > 5 && away.peer.received('video') > 5,
    );

    const pid = engine.workers[1]!.pid!;
    process.kill(pid, 'SIGSTOP');
    await until('one is lost', () => said.some(([event]) => event === 'session-lost'));
    assert.deepEqual(said.slice(1), [['session-lost', away.session.id, 'media_engine_restarted']]);
    const before = athome.peer.received('video');
    await until('the other viewer receives more', () => athome.peer.received('video') > before + 20);
    await until('another process runs', () => ![undefined, pid].includes(engine.workers[1]!.pid));
    const messages = [
      'the media engine hangs and is killed',
      'the media engine died and is started again',
      'the media engine is running',
    ];
    const told = log.slice(3).filter((message) => messages.includes(message));
    assert.deepEqual(told, messages);
    assert.throws(() => process.kill(pid, 0), 'the process that hung is gone');
  });
});

it('refuses viewers who cannot decode the video, in every worker', async (t) => {
  let asked = 0;
  const { engine } = await openEngine(t, { placement: () => [asked] });
  const offer = sdpOffer({ direction: 'sendonly', videoCodecs: ['h264'] }).replace('42e01f', '640028');
  await engine.publish('s', offer);
  for (asked = 0; asked < engine.workers.length; asked += 1) {
    await assert.rejects(engine.view('s', sdpOffer()), { code: 'no_common_codec' });
  }
  assert.deepEqual(
    engine.workers.map(({ sessions }) => sessions),
    [1, 0],
  );
});

describe('the sources of one stream', () => {
  it('are in one worker, whatever its load', async (t) => {
    const { engine } = await openEngine(t);
    const first = await engine.publish('s', sdpOffer({ direction: 'sendonly' }), { sourceId: 'first' });
    for (let viewers = 0; viewers < 3; viewers++) await engine.view('other', sdpOffer());
    const second = await engine.publish('s', sdpOffer({ direction: 'sendonly' }), { sourceId: 'second' });
    assert.deepEqual(portsOf(first.answer), portsOf(second.answer));
  });

  it('are in one worker also if they are published at the same time', async (t) => {
    const { engine } = await openEngine(t, { placement: even });
    const offer = sdpOffer({ direction: 'sendonly' });
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((sourceId) => engine.publish('s', offer, { sourceId }).then(({ answer }) => answer)),
    );
    assert.deepEqual(portsOf(answers.join('')), portsOf(answers[0]!));
  });
});

describe('several workers', () => {
  it('use consecutive ports, and free them', async (t) => {
    const port = await freePorts(3);
    const { engine } = await openEngine(t, { udpPort: port, workers: 3 });
    assert.deepEqual(
      engine.workers.map(({ udpPort }) => udpPort),
      [port, port + 1, port + 2],
    );
    await engine.close();
    for (let index = 0; index < 3; index++)
      assert.equal(await availableUdpPort('127.0.0.1', port + index), port + index);
  });

  it('do not start if one port is in use, and none is left running', async (t) => {
    const port = await freePorts(2);
    await openEngine(t, { udpPort: port + 1, workers: 1 });
    await assert.rejects(createEmbeddedEngine({ ...TWO, udpPort: port }), {
      code: 'engine_unavailable',
      message: new RegExp(`UDP port ${port + 1}: the port is in use`),
    });
    assert.equal(await availableUdpPort('127.0.0.1', port), port);
  });

  it('report that the directory for temporary files cannot be created', async (t) => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = join(tmpdir(), 'streamgate-nowhere');
    t.after(() => (before === undefined ? delete process.env['TMPDIR'] : (process.env['TMPDIR'] = before)));
    await assert.rejects(createEmbeddedEngine(TWO), { code: 'engine_unavailable', message: /temporary files: ENOENT/ });
  });

  describe('leave nothing in the directory for temporary files', () => {
    /** Only what the engine creates there: the loader of these tests uses the directory too. */
    async function temporaryFolder(t: TestContext) {
      const folder = await mkdtemp(join(tmpdir(), 'streamgate-test-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      return { folder, ours: async () => (await readdir(folder)).filter((name) => name.startsWith('streamgate-')) };
    }

    it('when they are closed', async (t) => {
      const { folder, ours } = await temporaryFolder(t);
      const before = process.env['TMPDIR'];
      process.env['TMPDIR'] = folder;
      t.after(() => (before === undefined ? delete process.env['TMPDIR'] : (process.env['TMPDIR'] = before)));
      const { engine } = await openEngine(t, { placement: apart });
      assert.equal((await ours()).length, 1);
      await publish(t, engine);
      await view(t, engine);
      process.kill(engine.workers[1]!.pid!, 'SIGKILL');
      await once(engine, 'session-lost');
      await engine.close();
      assert.deepEqual(await ours(), []);
    });

    it('when the server is killed after one of them', async (t) => {
      const { folder, ours } = await temporaryFolder(t);
      const file = new URL('../../../../../server/media/embedded/embedded-engine.ts', import.meta.url).href;
      const script = `
        const { createEmbeddedEngine } = await import(${JSON.stringify(file)});
        const engine = await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0, workers: 2 });
        process.kill(engine.workers[1].pid, 'SIGKILL');
        console.log('open');`;
      const server = spawn(process.execPath, [...typescriptArguments, '--input-type=module', '--eval', script], {
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.after(() => server.kill('SIGKILL'));
      await once(server.stdout, 'data');
      assert.equal((await ours()).length, 1);
      server.kill('SIGKILL');
      await until('it is removed', async () => (await ours()).length === 0);
    });
  });

  it('try the next worker for a viewer that one worker refuses', async (t) => {
    const { engine } = await openEngine(t, { placement: () => [0, 1] });
    const viewing = engine.view('s', sdpOffer());
    process.kill(engine.workers[0]!.pid!, 'SIGKILL');
    const { answer } = await viewing;
    assert.deepEqual([...portsOf(answer)], [engine.workers[1]!.udpPort]);
    await until('only that viewer is counted', () => engine.workers.every(({ sessions }, index) => sessions === index));
  });

  it('try no other worker if the offer is invalid', async (t) => {
    const { engine } = await openEngine(t);
    await assert.rejects(engine.view('s', 'hello'), { code: 'invalid_sdp' });
    assert.deepEqual(
      engine.workers.map(({ sessions }) => sessions),
      [0, 0],
    );
  });
});
