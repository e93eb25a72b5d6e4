import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { FakeRecording } from '../../support/fake-recording.js';
import { payloadOf } from '../../support/grant.js';
import { askDirector, streamServer, type TestServer } from '../../support/stream-server.js';
import { publishing, websocketSessions } from '../../support/websocket-sessions.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

describe('recording, on the websocket of a publisher', () => {
  const cleanup = new Cleanup();
  let recording: FakeRecording;
  let app: TestServer;
  const { openPublisher, publish } = websocketSessions(() => app);

  beforeEach(async () => {
    recording = new FakeRecording();
    app = await streamServer(cleanup, {}, { recording });
  });
  afterEach(() => cleanup.run());

  const recordingToken = () => app.token('publish', { record: true });

  it('is what the grant says that the token may', async () => {
    for (const record of [true, false]) {
      const { body } = await askDirector(app, 'publish', await app.token('publish', { record }));
      assert.deepEqual([payloadOf(body.data.jwt).millicast.record, body.data.record], [record, record]);
    }
  });

  it('is refused to a token that does not record, which publishes without it', async () => {
    const publisher = await openPublisher();
    const answer = (data: object) => publisher.command('publish', { ...publishing, ...data });
    assert.equal((await answer({ record: true })).code, 'recording_not_allowed');
    assert.equal((await answer({ record: false })).type, 'response');
    assert.equal((await publisher.command('record')).code, 'recording_not_allowed');
    assert.equal((await publisher.command('unrecord')).code, 'recording_not_allowed');
    assert.deepEqual(recording.switched, []);
  });

  it('is switched by publish, and by the commands record and unrecord', async () => {
    const { publisher } = await publish({ record: true, sourceId: 'cam1' }, {}, await recordingToken());
    assert.deepEqual(await publisher.command('unrecord'), { type: 'response', transId: 1, data: {} });
    assert.equal((await publisher.command('record')).type, 'response');
    assert.deepEqual(recording.switched, ['on main/main cam1', 'off main/main cam1', 'on main/main cam1']);
  });

  it('is switched off by publish with record: false, and left to the token without the field', async () => {
    const token = await recordingToken();
    await publish({ sourceId: 'cam1' }, {}, token);
    await publish({ sourceId: 'cam2', record: null }, {}, token);
    await publish({ sourceId: 'cam3', record: false }, {}, token);
    assert.deepEqual(recording.switched, ['off main/main cam3']);
  });

  it('needs a source', async () => {
    const publisher = await openPublisher({}, await recordingToken());
    assert.equal((await publisher.command('record')).code, 'not_connected');
  });

  it('cannot be switched for the source of another publisher', async () => {
    const token = await recordingToken();
    await publish({ sourceId: 'cam1' }, {}, token);
    const second = await openPublisher({}, token);
    const refused = await second.command('publish', { ...publishing, sourceId: 'cam1', record: false });
    assert.equal(refused.code, 'stream_in_use');
    assert.deepEqual(recording.switched, []);
  });

  it('follows the token as it is now', async () => {
    const streams = [{ streamName: 'main', isRegex: false }];
    const scope = { accountId: 'main', kind: 'publish' } as const;
    const { id, token } = await app.server.tokens.create(scope, { label: '', streams });
    const { publisher } = await publish({}, {}, token);
    assert.equal((await publisher.command('record')).code, 'recording_not_allowed');
    await app.server.tokens.update(scope, id, { record: true });
    assert.equal((await publisher.command('record')).type, 'response');
    await app.server.tokens.update(scope, id, { record: false });
    assert.equal((await publisher.command('unrecord')).code, 'recording_not_allowed');
  });

  it('is refused with the code and the sentence of the recording itself', async () => {
    const { publisher } = await publish({}, {}, await recordingToken());
    recording.refusal = { code: 'quota_exceeded', message: 'the space for recordings is used up' };
    const { code, data } = await publisher.command('record');
    assert.deepEqual([code, data], ['quota_exceeded', 'the space for recordings is used up']);
  });

  it('does not keep a broadcast from being live where it cannot begin', async () => {
    recording.refusal = { code: 'quota_exceeded', message: 'the space for recordings is used up' };
    const { publisher } = await publish({ record: true, events: ['recording'] }, {}, await recordingToken());
    const { data } = await publisher.event('recording');
    assert.deepEqual([data.state, data.fault], ['off', 'quota_exceeded']);
  });

  it('sends its state to publishers that ask for the event, of their own source only', async () => {
    const token = await recordingToken();
    const events = ['recording'];
    const { publisher: first } = await publish({ sourceId: 'cam1', events }, {}, token);
    const { publisher: second } = await publish({ sourceId: 'cam2', events }, {}, token);
    const { publisher: silent } = await publish({ sourceId: 'cam3', events: ['viewercount'] }, {}, token);
    recording.report(streamIdOf('main', 'main'), 'cam3', true);
    recording.report(streamIdOf('main', 'main'), 'cam1', true);
    recording.report(streamIdOf('main', 'main'), 'cam1', false, 'disk_full');
    const states = (frames: { name: string; data: unknown }[]) =>
      frames.filter(({ name }) => name === 'recording').map(({ data }) => data);
    await first.frame(({ name, data }) => name === 'recording' && data.fault !== null);
    const cam1 = { streamId: 'main/main', sourceId: 'cam1' };
    assert.deepEqual(states(first.frames), [
      { ...cam1, state: 'off', fault: null },
      { ...cam1, state: 'on', fault: null },
      { ...cam1, state: 'off', fault: 'disk_full' },
    ]);
    await silent.command('unrecord');
    assert.deepEqual([states(second.frames).length, states(silent.frames).length], [1, 0]);
  });

  it('does not disturb a stream that has ended', () => {
    recording.report(streamIdOf('main', 'gone'), null, true);
    assert.doesNotMatch(app.log.text, /could not be told/);
  });
});

describe('recording, on a server that does not record', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { openPublisher } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup, { RECORDINGS_DIR: 'off' });
  });
  afterEach(() => cleanup.run());

  it('is refused, also with a token that records, which publishes without it', async () => {
    const token = await app.token('publish', { record: true });
    const { body } = await askDirector(app, 'publish', token);
    assert.deepEqual([payloadOf(body.data.jwt).millicast.record, body.data.record], [false, false]);
    const publisher = await openPublisher({}, token);
    const answer = (data: object) => publisher.command('publish', { ...publishing, ...data });
    assert.equal((await answer({ record: true })).code, 'recording_unavailable');
    assert.equal((await answer({ record: false })).type, 'response');
    assert.equal((await publisher.command('record')).code, 'recording_unavailable');
    assert.equal((await publisher.command('unrecord')).code, 'recording_unavailable');
  });
});
