import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { readStreamKey } from '../../server/rtmp/stream-key.js';
import { streamMatcher } from '../../server/tokens/restrictions/stream-patterns.js';
import { readViewerAddress } from '../../src/wire/viewer-address.js';
import { label, sourceId, streamName } from '../../src/wire/text.js';
import { Cleanup } from '../support/cleanup.js';
import { ask, managementApp, type ManagementApp } from '../support/management-app.js';
import { locationOf, whep, whip } from '../support/ingest-client.js';
import { askDirector, streamServer, type TestServer } from '../support/stream-server.js';
import { leastCpuMs } from '../support/least-cpu.js';

/** One name, as two keyboards write it. */
const COMPOSED = 'café';
const DECOMPOSED = 'cafe\u0301';

describe('a stream whose name two keyboards write differently', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  for (const [spelling, stored, asked] of [
    ['composed', COMPOSED, DECOMPOSED],
    ['decomposed', DECOMPOSED, COMPOSED],
  ] as const) {
    it(`is one stream for tokens, WHIP, WHEP, the director and pictures, saved ${spelling}`, async () => {
      const streams = [{ streamName: stored, isRegex: false }];
      const publish = await app.server.tokens.create({ accountId: 'main', kind: 'publish' }, { label: '', streams });
      const subscribe = await app.server.tokens.create(
        { accountId: 'main', kind: 'subscribe' },
        { label: '', streams },
      );
      locationOf(await whip(app, { token: publish.token }, encodeURIComponent(asked)));
      app.engine.sendFrame(`main/${COMPOSED}`);
      for (const name of [COMPOSED, DECOMPOSED]) {
        const path = `main/${encodeURIComponent(name)}`;
        assert.equal((await whep(app, {}, path)).status, 201);
        assert.equal((await fetch(`${app.origin}/api/still/${path}`)).status, 200);
        const body = { streamName: name, streamAccountId: 'main' };
        const guest = await askDirector(app, 'subscribe', undefined, body);
        assert.equal(guest.status, 200);
        assert.equal((await askDirector(app, 'subscribe', subscribe.token, body)).status, 200);
        const again = await askDirector(app, 'publish', publish.token, body);
        assert.deepEqual([again.status, again.body.data.code], [409, 'stream_in_use']);
      }
    });
  }
});

describe('names and labels of the management API', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;

  beforeEach(async () => {
    app = await managementApp(cleanup);
  });
  afterEach(() => cleanup.run());

  it('are saved and found in one spelling', async () => {
    for (const label of [COMPOSED, DECOMPOSED]) {
      const created = await ask(app, 'POST', '/api/subscribe_token', {
        label,
        streams: [{ streamName: label, isRegex: label === DECOMPOSED }],
      });
      assert.equal(created.body.data.label, COMPOSED);
      assert.equal(created.body.data.streams[0].streamName, COMPOSED);
    }
    for (const name of [COMPOSED, DECOMPOSED].map(encodeURIComponent)) {
      const query = `name=${name}&page=1&itemsOnPage=10`;
      const byName = await ask(app, 'GET', `/api/subscribe_token/list_by_name?${query}&filterBy=TokenName`);
      assert.equal(byName.body.data.length, 2);
      const found = await ask(app, 'GET', `/api/subscribe_token/list?search=${name}&page=1&itemsOnPage=10`);
      assert.equal(found.body.data.length, 2);
    }
  });
});

describe('names in one spelling', () => {
  it('are what addresses and stream keys of encoders name', () => {
    const url = new URL(`https://live.example.com/viewer?streamId=main/${encodeURIComponent(DECOMPOSED)}`);
    assert.equal(readViewerAddress(url)?.streamName, COMPOSED);
    const source = encodeURIComponent(DECOMPOSED);
    const reading = readStreamKey({
      app: 'v2/pub',
      streamKey: `${source}?token=t&sourceId=${source}`,
      tcUrl: 'rtmp://live.example.com/v2/pub',
    });
    assert.ok(reading.ok);
    assert.deepEqual([reading.value.streamName, reading.value.sourceId], [COMPOSED, COMPOSED]);
  });

  it('are permitted by patterns and names that another version saved as they came', () => {
    for (const streamName of [COMPOSED, DECOMPOSED]) {
      assert.equal(streamMatcher([{ streamName, isRegex: false }])(COMPOSED), true);
      assert.equal(streamMatcher([{ streamName: `${streamName}-[0-9]`, isRegex: true }])(`${COMPOSED}-1`), true);
    }
  });

  it('stay as they are when they are read again', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 8 });
    fc.assert(
      fc.property(texts, (text) => {
        for (const schema of [streamName, sourceId, label(128)]) {
          const read = schema.safeParse(text);
          if (!read.success) continue;
          assert.equal(read.data, text.normalize('NFC'));
          assert.equal(schema.parse(read.data), read.data);
          assert.equal(schema.parse(text.normalize('NFD')), read.data);
        }
      }),
    );
  });

  it('are not made of long texts of accents, which take seconds to put in order', () => {
    const accents = 'a' + '\u0315\u0300\u0316'.repeat(20_000);
    const ms = leastCpuMs(200, () => {
      for (const schema of [streamName, sourceId, label(128)]) assert.equal(schema.safeParse(accents).success, false);
    });
    assert.ok(ms < 200, `${ms} ms of CPU`);
  });
});
