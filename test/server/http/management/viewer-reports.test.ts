import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { whep } from '../../../support/ingest-client.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';
import { viewing, websocketSessions } from '../../../support/websocket-sessions.js';

type Json = ReturnType<typeof JSON.parse>;

const REPORT = {
  first: 420,
  played: 59_000,
  freezes: 3,
  frozen: 6,
  height: 720,
  framesPerSecond: 30,
  roundTrip: 0.04,
  packets: 9_900,
  lost: 100,
};
const FIGURES = { playedSeconds: 59, freezes: 3, frozenSeconds: 6, height: 720, roundTripSeconds: 0.04, loss: 0.01 };

describe('what viewers report', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let secret: string;
  const { publish, view, resume } = websocketSessions(() => app);

  const start = async (env: Record<string, string> = {}) => {
    app = await streamServer(cleanup, env);
    secret = await app.server.secrets.create('main');
  };
  beforeEach(() => start());
  afterEach(() => cleanup.run());

  const read = async (path: string): Promise<Json> => {
    const response = await fetch(`${app.origin}/api/${path}`, { headers: { authorization: `Bearer ${secret}` } });
    return JSON.parse(await response.text());
  };
  const ofViewer = async (): Promise<Json> =>
    (await read('streams/main/sessions')).data.find(({ role }: Json) => role === 'viewer');
  /** A viewer of a stream that is live, a minute ago. */
  const watching = async () => {
    await publish();
    app.engine.sendFrame('main/main');
    while ((await read('streams/main/sessions')).data[0].firstMediaOn === null);
    const opened = await view();
    app.clock.now += 60_000;
    return opened;
  };

  it('is asked for by the answer to view, and shown with the session and its timeline', async () => {
    const { viewer, answer } = await watching();
    assert.equal(Object.entries(answer).find(([name]) => name === 'reportSeconds')?.[1], 10);
    assert.deepEqual((await viewer.command('report', REPORT)).data, {});
    const { id, quality } = await ofViewer();
    assert.deepEqual(quality, { device: 'unknown', firstPictureSeconds: 0.42, framesPerSecond: 30, ...FIGURES });
    const { events } = (await read(`streams/main/sessions/${id}`)).data;
    assert.deepEqual(
      events.map(({ name }: Json) => name).filter((name: string) => name.startsWith('first') || name.includes('froze')),
      ['first_picture', 'picture_froze'],
    );
  });

  it('gets no answer without a transId', async () => {
    const { viewer } = await watching();
    viewer.socket.send(JSON.stringify({ type: 'cmd', name: 'report', data: REPORT }));
    const before = viewer.frames.length;
    await viewer.command('select', {});
    const answers = viewer.frames.slice(before).filter(({ type }) => type !== 'event');
    assert.deepEqual(
      answers.map(({ type, transId }) => [type, transId]),
      [['response', 1]],
    );
    assert.equal((await ofViewer()).quality.freezes, 3);
  });

  it('is added up over the sessions of a viewer who resumes', async () => {
    const { viewer, answer } = await watching();
    await viewer.command('report', REPORT);
    viewer.socket.terminate();
    while ((await ofViewer()).endedOn === null);
    const again = await resume('sub', answer.resumeToken);
    await again.command('view', viewing);
    app.clock.now += 60_000;
    await again.command('report', { ...REPORT, first: 9, freezes: 1 });
    const { quality } = await ofViewer();
    assert.deepEqual([quality.freezes, quality.playedSeconds, quality.firstPictureSeconds], [4, 118, 0.42]);
  });

  it('is no time to the first picture where the viewer waited for the stream', async () => {
    const { viewer } = await view();
    await publish();
    app.engine.sendFrame('main/main');
    app.clock.now += 60_000;
    await viewer.command('report', REPORT);
    assert.equal((await ofViewer()).quality.firstPictureSeconds, null);
  });

  it('counts at most the time that has passed, and leaves out nonsense without an error', async () => {
    const { viewer } = await watching();
    const nonsense = { played: -1, freezes: 1e99, frozen: 'long', height: {}, lost: null };
    for (const data of [nonsense, undefined, [], 'x', { played: 1e10, freezes: 1e10 }]) {
      const { type } = await viewer.command('report', data as object);
      assert.equal(type, 'response');
    }
    const { playedSeconds, freezes, frozenSeconds, height } = (await ofViewer()).quality;
    assert.deepEqual([playedSeconds, freezes, frozenSeconds, height], [61, 406, null, null]);
  });

  it('is in the statistics of the stream, with the worst five minutes and their cause', async () => {
    const { viewer } = await watching();
    await viewer.command('report', REPORT);
    app.clock.now += 600_000;
    await viewer.command('report', { ...REPORT, played: 650_000 });
    app.clock.now += 10_000;
    const { data, total, worst } = await read('stats/streams/main');
    const quality = {
      ...FIGURES,
      playedSeconds: 650,
      firstPictureMedianSeconds: 0.45,
      firstPictureP95Seconds: 0.495,
    };
    assert.deepEqual([data[0].quality, total.quality], [quality, quality]);
    assert.equal(worst, null, 'a single minute was played while the picture froze');
    assert.deepEqual((await read('stats/streams')).data[0].quality, quality);
  });

  it('shows the worst five minutes of a stream with their cause', async () => {
    const { viewer } = await watching();
    app.clock.now += 60_000;
    await viewer.command('report', { ...REPORT, played: 119_000 });
    app.clock.now += 10_000;
    const { worst } = await read('stats/streams/main');
    const { time, viewers, frozenViewers, cause, frozenSeconds } = worst;
    assert.deepEqual(
      [time, viewers, frozenViewers, cause, frozenSeconds],
      ['2030-01-01T00:00:00.000Z', 1, 1, 'broadcast', 6],
    );
  });

  it('is the loss and the round trip by RTCP of a WHEP player', async () => {
    await publish();
    app.engine.sendFrame('main/main');
    const token = await app.token('subscribe');
    while ((await whep(app, { token })).status !== 201);
    const [mediaId] = app.engine.viewerIds('main/main');
    assert.equal(app.engine.optionsOf(mediaId!)?.networkEveryMs, 10_000);
    app.clock.now += 60_000;
    app.engine.emit('network', mediaId!, { packets: 1_000, lost: 20, roundTripMs: 45 });
    const { protocol, quality } = await ofViewer();
    assert.equal(protocol, 'whep');
    assert.deepEqual(quality, {
      device: 'unknown',
      firstPictureSeconds: null,
      playedSeconds: null,
      freezes: null,
      frozenSeconds: null,
      height: null,
      framesPerSecond: null,
      roundTripSeconds: 0.045,
      loss: 0.02,
    });
  });

  it('is neither asked for nor kept with VIEWER_REPORTS=off', async () => {
    await start({ VIEWER_REPORTS: 'off' });
    const { viewer, answer } = await watching();
    assert.equal('reportSeconds' in answer, false);
    assert.equal((await viewer.command('report', REPORT)).type, 'response');
    assert.equal((await ofViewer()).quality, null);
  });

  it('survives a stop of the server', async () => {
    const { viewer } = await watching();
    await viewer.command('report', REPORT);
    await app.server.close();
    app = await streamServer(cleanup, { DATA_DIR: app.dataDir });
    assert.equal((await ofViewer()).quality.freezes, 3);
    app.clock.now += 120_000;
    assert.equal((await read('stats/streams/main')).total.quality.freezes, 3);
  });
});
