import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { until } from '../../support/media/until.js';
import { streamServer, type TestServer } from '../../support/stream-server.js';
import { websocketSessions } from '../../support/websocket-sessions.js';

describe('a server that is created without options', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { publish } = websocketSessions(() => app);
  afterEach(() => cleanup.run());

  const logged = (message: string) => until(message, () => app.log.text.includes(message));

  it('records what tokens say, for as long as they say, in a process that starts with the first recording', async () => {
    app = await streamServer(cleanup);
    await publish({}, {}, await app.token('publish'));
    app.engine.sendFrame('main/main');
    const fields = { record: true, recordingRetentionDays: 2, streams: [{ streamName: 'other', isRegex: false }] };
    const token = await app.token('publish', fields);
    assert.doesNotMatch(app.log.text, /the (recorder|packager) is running/);
    await publish({}, { streamName: 'other' }, token);
    app.engine.sendFrame('main/other');
    await logged('the recorder is running');
    assert.match(app.log.text, /"stream":"main\/other",.*"msg":"a recording began"/);
    assert.doesNotMatch(app.log.text, /the packager is running|"stream":"main\/main",.*"msg":"a recording began"/);

    const secret = await app.server.secrets.create('main');
    const answer = await fetch(`${app.origin}/api/recordings`, { headers: { authorization: `Bearer ${secret}` } });
    const { data } = await answer.json();
    assert.equal(data.length, 1);
    assert.equal(Date.parse(data[0].expiresOn) - Date.parse(data[0].startedOn), 2 * 86_400_000);
  });
});
