import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp, type ManagementApp } from '../../../support/management-app.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { scheduledIdOf } from '../../../support/scheduled-stream.js';
import { askDirector, openSocket } from '../../../support/stream-server.js';

const PATH = '/api/schedule';
const HOUR = 3_600_000;

describe('/api/schedule', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;

  beforeEach(async () => {
    app = await managementApp(cleanup);
  });
  afterEach(() => cleanup.run());

  const inHours = (hours: number) => new Date(app.clock.now + hours * HOUR).toISOString();
  const fields = (changed: object = {}) => ({ streamName: 'main', title: 'Keynote', startsOn: inHours(1), ...changed });
  const create = async (changed: object = {}) => {
    const { status, body } = await ask(app, 'POST', PATH, fields(changed));
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const announced = async (id: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.origin}/api/scheduled_stream/${id}`, { headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const broadcast = async () => {
    const { body } = await ask(app, 'POST', '/api/publish_token', { label: 'a', streams: [{ streamName: 'main' }] });
    const publisher = await openSocket(await askDirector(app, 'publish', body.data.token, { streamName: 'main' }));
    cleanup.after(() => publisher.socket.terminate());
    await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    app.engine.sendFrame('acme/main');
  };

  it('creates, shows, changes and removes a scheduled stream', async () => {
    const made = await create({
      description: 'Two\nlines',
      endsOn: '2026-11-20T20:00:00+05:30',
      startsOn: '2026-11-20T14:00:00Z',
    });
    assert.match(made.id, /^[\w-]{22}$/);
    assert.deepEqual(made, {
      id: made.id,
      streamName: 'main',
      title: 'Keynote',
      description: 'Two\nlines',
      startsOn: '2026-11-20T14:00:00.000Z',
      endsOn: '2026-11-20T14:30:00.000Z',
      state: made.state,
      path: `/scheduled/${made.id}`,
      createdOn: new Date(app.clock.now).toISOString(),
      updatedOn: new Date(app.clock.now).toISOString(),
    });
    assert.deepEqual((await ask(app, 'GET', `${PATH}/${made.id}`)).body.data, made);
    app.clock.now += 1_000;
    const changed = (await ask(app, 'PUT', `${PATH}/${made.id}`, { title: 'Opening', endsOn: null })).body.data;
    assert.deepEqual([changed.title, changed.endsOn, changed.description], ['Opening', null, 'Two\nlines']);
    assert.equal(Date.parse(changed.updatedOn), app.clock.now);
    assert.deepEqual((await ask(app, 'DELETE', `${PATH}/${made.id}`)).body.data, true);
    for (const [method, body] of [['GET'], ['PUT', { title: 'b' }], ['DELETE']] as const) {
      const answer = await ask(app, method, `${PATH}/${made.id}`, body);
      assert.deepEqual([answer.status, answer.body.data.code], [404, 'scheduled_stream_not_found']);
    }
  });

  it('lists what is to come, then what is over, page by page', async () => {
    for (const hours of [30, -30, 1, -20]) await create({ title: String(hours), startsOn: inHours(hours) });
    const titles = async (query: string) => {
      const { body } = await ask(app, 'GET', PATH + query);
      return [body.data.map(({ title, state }: { title: string; state: string }) => `${title} ${state}`), body.total];
    };
    assert.deepEqual(await titles(''), [['1 scheduled', '30 scheduled', '-20 over', '-30 over'], 4]);
    assert.deepEqual(await titles('?past=false'), [['1 scheduled', '30 scheduled'], 2]);
    assert.deepEqual(await titles('?past=true&itemsOnPage=1&page=2'), [['-30 over'], 2]);
  });

  it('lists as CSV, and names the next page', async () => {
    await create({ title: '=1+1', description: 'a, "b"\nc' });
    await create({ startsOn: inHours(2) });
    const response = await fetch(`${app.origin}${PATH}?itemsOnPage=1`, {
      headers: { authorization: `Bearer ${app.secret}`, accept: 'text/csv' },
    });
    const text = await response.text();
    assert.match(text, /^id,streamName,title,description,startsOn,endsOn,state,path,createdOn,updatedOn\r\n/);
    assert.ok(text.includes('"a, ""b""\nc"'), text);
    assert.equal(response.headers.get('link'), `<${PATH}?page=2&itemsOnPage=1>; rel="next"`);
  });

  it('names the wrong field', async () => {
    for (const [changed, field] of [
      [{ title: '' }, 'title'],
      [{ title: 'x'.repeat(129) }, 'title'],
      [{ title: 'a\nb' }, 'title'],
      [{ streamName: '' }, 'streamName'],
      [{ description: '' }, 'description'],
      [{ description: 'x'.repeat(1_001) }, 'description'],
      [{ description: 'a\0b' }, 'description'],
      [{ description: 'a\u001bb' }, 'description'],
      [{ startsOn: undefined }, 'startsOn'],
      [{ startsOn: 'tomorrow' }, 'startsOn'],
      [{ startsOn: '2026-12-05T20:00:00' }, 'startsOn'],
      [{ startsOn: '2026-02-30T20:00:00Z' }, 'startsOn'],
      [{ endsOn: '2026-12-05' }, 'endsOn'],
      [{ endsOn: inHours(1) }, 'endsOn'],
      [{ endsOn: inHours(1 + 7 * 24 + 1) }, 'endsOn'],
    ] as const) {
      const { status, body } = await ask(app, 'POST', PATH, fields(changed));
      assert.deepEqual([status, body.data.code], [400, 'invalid_request'], JSON.stringify(changed));
      assert.deepEqual(Object.keys(body.data.errors), [field]);
    }
    const { id } = await create();
    for (const change of [{}, { id: scheduledIdOf(1) }, { title: null }, { startsOn: null }]) {
      assert.equal((await ask(app, 'PUT', `${PATH}/${id}`, change)).status, 400, JSON.stringify(change));
    }
    assert.equal((await ask(app, 'GET', `${PATH}/x`)).status, 400);
    assert.equal((await ask(app, 'GET', `${PATH}?past=yes`)).status, 400);
  });

  it('is closed without a login, and hides what other accounts have', async () => {
    const { id } = await create();
    const other = { authorization: `Bearer ${await app.secrets.create('other')}` };
    for (const [method, path, body] of [
      ['GET', PATH],
      ['POST', PATH, fields()],
      ['GET', `${PATH}/${id}`],
      ['PUT', `${PATH}/${id}`, { title: 'b' }],
      ['DELETE', `${PATH}/${id}`],
    ] as const) {
      assert.equal((await ask(app, method, path, body, { authorization: '' })).status, 401, method);
      if (path === PATH) continue;
      const answer = await ask(app, method, path, body, other);
      assert.deepEqual([answer.status, answer.body.data.code], [404, 'scheduled_stream_not_found'], method);
    }
    assert.equal((await ask(app, 'GET', PATH, undefined, other)).body.total, 0);
  });

  it('asks for `read` to read, and for `streams` to change', async () => {
    const { id } = await create();
    const keyWith = async (scope: string) => {
      const { body } = await ask(app, 'POST', '/api/account/keys', { name: scope, scopes: [scope] });
      return { authorization: `Bearer ${body.data.value}` };
    };
    const [read, streams] = [await keyWith('read'), await keyWith('streams')];
    const statuses = async (headers: Record<string, string>) => [
      (await ask(app, 'GET', PATH, undefined, headers)).status,
      (await ask(app, 'GET', `${PATH}/${id}`, undefined, headers)).status,
      (await ask(app, 'POST', PATH, fields(), headers)).status,
      (await ask(app, 'PUT', `${PATH}/${id}`, { title: 'b' }, headers)).status,
    ];
    assert.deepEqual(await statuses(read), [200, 200, 403, 403]);
    assert.deepEqual(await statuses(streams), [403, 403, 200, 200]);
  });

  it('writes changes to the audit log with their actor', async () => {
    const { id } = await create();
    const { body } = await ask(app, 'GET', '/api/audit?action=schedule_added');
    const { actor, target, after } = body.data[0];
    const named = { kind: 'scheduled_stream', id, name: 'Keynote' };
    assert.deepEqual([actor.by, target, after.title], ['secret', named, 'Keynote']);
  });

  describe('announced', () => {
    it('tells everybody who has the id what there is to know, and nothing else', async () => {
      const {
        id,
        createdOn: _created,
        updatedOn: _updated,
        path: _path,
        ...known
      } = await create({ description: 'a' });
      const { status, headers, body } = await announced(id, { origin: 'https://elsewhere.example' });
      const { id: _id, ...shown } = { id, ...known };
      assert.deepEqual(
        [status, body],
        [
          200,
          {
            status: 'success',
            data: { accountId: 'acme', ...shown, requiresToken: false, now: new Date(app.clock.now).toISOString() },
          },
        ],
      );
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('access-control-allow-credentials'), null);
      assert.equal(headers.get('cache-control'), 'no-store');
    });

    it('does not exist for another id, which pages of every origin may read too', async () => {
      const { status, headers, body } = await announced(scheduledIdOf(1));
      assert.deepEqual([status, body.data.code], [404, 'scheduled_stream_not_found']);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal((await announced('x')).status, 400);
    });

    it('answers the preflight of every origin', async () => {
      const response = await fetch(`${app.origin}/api/scheduled_stream/${scheduledIdOf(1)}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
      });
      assert.equal(response.status, 204);
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
    });

    it('is live while the stream is live, and over when the end has passed', async () => {
      const { id } = await create({ startsOn: inHours(0.5), endsOn: inHours(2) });
      const { id: tomorrow } = await create({ startsOn: inHours(24) });
      const state = async (of = id) => (await announced(of)).body.data.state;
      assert.equal(await state(), 'scheduled');
      await broadcast();
      assert.deepEqual([await state(), await state(tomorrow)], ['live', 'scheduled']);
      assert.equal((await ask(app, 'GET', `${PATH}/${id}`)).body.data.state, 'live');
      await ask(app, 'POST', '/api/stream/stop/all');
      assert.equal(await state(), 'scheduled');
      app.clock.now += 2 * HOUR;
      assert.equal(await state(), 'over');
    });

    it('follows a change at once, and ends with its scheduled stream', async () => {
      const { id } = await create();
      await announced(id);
      await ask(app, 'PUT', `${PATH}/${id}`, { startsOn: inHours(3) });
      assert.equal((await announced(id)).body.data.startsOn, inHours(3));
      await ask(app, 'DELETE', `${PATH}/${id}`);
      assert.equal((await announced(id)).status, 404);
    });
  });
});
