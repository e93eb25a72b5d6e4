import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { monotonicNow } from '../../../server/monotonic-now.js';
import { TargetAddresses } from '../../../server/outbound/target-addresses.js';
import { SessionRemovals } from '../../../server/upstream/session-removals.js';
import { UpstreamClient } from '../../../server/upstream/upstream-client.js';
import { UpstreamEngine } from '../../../server/upstream/upstream-engine.js';
import { addressesOf } from '../../../server/upstream/upstream.js';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import { until } from '../../support/media/until.js';
import { MemoryNotes } from '../../support/memory-notes.js';
import { whipEndpoint } from '../../support/whip-endpoint.js';

const LOOPBACK = new TargetAddresses(['127.0.0.1']);
const PUBLISHING = sdpOffer({ direction: 'sendonly' });
const log = pino({ level: 'silent' });
/** More than calls are made at once. */
const LEFT = 100;

describe('sessions at an upstream', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  async function open({ addresses = LOOPBACK, timeoutMs = 5_000 } = {}) {
    const endpoint = await whipEndpoint(cleanup);
    const notes = new MemoryNotes();
    const { upstream } = endpoint;
    const engine = new UpstreamEngine({
      targetOf: (stream) => ({
        upstream,
        addresses: addressesOf(upstream, { accountId: 'main', streamName: stream })!,
      }),
      client: new UpstreamClient(addresses, timeoutMs),
      notes,
      owner: 'this',
      now: Date.now,
      monotonicNow,
      log,
    });
    cleanup.after(() => engine.close());
    const live = async () => {
      const begun = once(engine, 'live');
      const session = await engine.publish('show', PUBLISHING);
      await begun;
      return session;
    };
    return { engine, endpoint, notes, live };
  }

  it('are opened with the offer and the token, noted, and ended with DELETE', async () => {
    const { endpoint, engine, notes, live } = await open();
    const publisher = await live();
    const viewer = await engine.view('show', sdpOffer());
    assert.deepEqual(endpoint.pathsOf('POST'), ['/show/whip', '/show/whep']);
    const [publishing, viewing] = endpoint.of('POST');
    assert.equal(publishing!.body, PUBLISHING);
    assert.deepEqual(
      [publishing!.headers['content-type'], publishing!.headers.authorization, viewing!.headers.authorization],
      ['application/sdp', 'Bearer publish-token', 'Bearer view-token'],
    );
    assert.equal(endpoint.of('GET')[0]!.headers.authorization, 'Bearer status-token');
    assert.deepEqual(notes.ids, [publisher.id, viewer.id]);
    viewer.close();
    viewer.close();
    publisher.close();
    await until('both were ended', () => notes.ids.length === 0);
    assert.deepEqual([...endpoint.pathsOf('DELETE')].sort(), ['/session/1', '/session/2']);
    const tokens = endpoint.of('DELETE').map(({ headers }) => headers.authorization);
    assert.deepEqual(tokens.sort(), ['Bearer publish-token', 'Bearer view-token']);
  });

  it('are opened where the endpoint sends the offer, and ended there, with its token on the same server', async () => {
    const { endpoint, live } = await open();
    const answer = endpoint.respond['POST']!;
    endpoint.respond['POST'] = (response, call) => {
      if (call.path === '/other/whip') answer(response, call);
      else response.writeHead(307, { location: '/other/whip' }).end();
    };
    (await live()).close();
    await endpoint.received('DELETE', 1);
    const tokens = [...endpoint.of('POST'), ...endpoint.of('DELETE')].map(({ headers }) => headers.authorization);
    assert.deepEqual(tokens, ['Bearer publish-token', 'Bearer publish-token', 'Bearer publish-token']);
  });

  it('are opened and ended without the token where the endpoint sends the offer to another server', async () => {
    const { endpoint, live } = await open();
    const node = await whipEndpoint(cleanup);
    endpoint.respond['POST'] = (response) => response.writeHead(307, { location: `${node.origin}/show/whip` }).end();
    (await live()).close();
    await node.received('DELETE', 1);
    assert.equal(node.of('POST')[0]!.body, PUBLISHING);
    const tokens = [...node.of('POST'), ...node.of('DELETE')].map(({ headers }) => headers.authorization);
    assert.deepEqual(tokens, [undefined, undefined]);
  });

  it('do not get the token back when another server redirects to the endpoint again', async () => {
    const { endpoint, engine } = await open();
    const node = await whipEndpoint(cleanup);
    endpoint.respond['POST'] = (response) => response.writeHead(307, { location: `${node.origin}/show/whip` }).end();
    node.respond['POST'] = (response) => response.writeHead(307, { location: `${endpoint.origin}/again` }).end();
    await assert.rejects(engine.publish('show', PUBLISHING), { code: 'upstream_refused' });
    const tokens = endpoint.of('POST').map(({ headers }) => headers.authorization);
    assert.deepEqual(tokens, ['Bearer publish-token', undefined]);
  });

  it('send no token to the address of a session on another server', async () => {
    const { endpoint, live } = await open();
    const other = await whipEndpoint(cleanup);
    const answer = endpoint.respond['POST']!;
    endpoint.respond['POST'] = (response, call) => {
      response.setHeader('location', `${other.origin}/session/9`);
      const { writeHead } = response;
      response.writeHead = (status: number) => writeHead.call(response, status);
      answer(response, call);
    };
    (await live()).close();
    await other.received('DELETE', 1);
    assert.deepEqual(
      [other.of('DELETE')[0]!.path, other.of('DELETE')[0]!.headers.authorization],
      ['/session/9', undefined],
    );
  });

  it('are not redirected for ever', async () => {
    const { endpoint, engine } = await open();
    endpoint.respond['POST'] = (response) => response.writeHead(307, { location: '/show/whip' }).end();
    await assert.rejects(engine.publish('show', PUBLISHING), { code: 'upstream_refused' });
    assert.equal(endpoint.of('POST').length, 4);
  });

  it('are not opened at an address of a private network, and neither where such a name leads', async () => {
    for (const addresses of [
      new TargetAddresses([]),
      new TargetAddresses([], async () => [{ address: '::1', family: 6 }]),
    ]) {
      const { endpoint, engine } = await open({ addresses });
      await assert.rejects(engine.publish('show', PUBLISHING), { code: 'upstream_refused' });
      assert.equal(endpoint.of('POST').length, 0);
    }
  });

  it('are refused at once for a while after an upstream did not answer', async () => {
    const { endpoint, engine } = await open({ timeoutMs: 50 });
    endpoint.respond['POST'] = () => {};
    await assert.rejects(engine.publish('show', PUBLISHING), { code: 'engine_unavailable' });
    await assert.rejects(engine.publish('show', PUBLISHING), { code: 'engine_unavailable', message: /a moment ago/ });
    // On a busy machine the first one ends before it is sent.
    assert.ok(endpoint.of('POST').length <= 1);
  });

  it('of viewers are asked for again while the upstream does not know yet that it is live', async () => {
    const { endpoint, engine, live } = await open();
    await live();
    const answer = endpoint.respond['POST']!;
    let asked = 0;
    endpoint.respond['POST'] = (response, call) =>
      (asked += 1) < 3 ? response.writeHead(404).end() : answer(response, call);
    await engine.view('show', sdpOffer());
    assert.equal(asked, 3);
  });

  it('of viewers are opened again in the next broadcast if theirs ends while they are noted', async () => {
    const { endpoint, engine, notes, live } = await open();
    const publisher = await live();
    const add = notes.add.bind(notes);
    const [adding, added] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    notes.add = async (...note) => {
      adding.resolve();
      await added.promise;
      await add(...note);
    };
    const viewing = engine.view('show', sdpOffer());
    await adding.promise;
    notes.add = add;
    publisher.close();
    const next = await live();
    added.resolve();
    const viewer = await viewing;
    assert.deepEqual(endpoint.pathsOf('POST'), ['/show/whip', '/show/whep', '/show/whip', '/show/whep']);
    await endpoint.received('DELETE', 2);
    assert.deepEqual([...endpoint.pathsOf('DELETE')].sort(), ['/session/1', '/session/2']);
    await until('only the open sessions are noted', () => notes.ids.length === 2);
    assert.deepEqual(notes.ids, [next.id, viewer.id]);
  });

  it('of a broadcast end when the upstream says so, and the name is free again', async () => {
    const { endpoint, engine, live } = await open();
    const publisher = await live();
    const viewer = await engine.view('show', sdpOffer());
    const said: unknown[][] = [];
    engine.on('session-lost', (...event) => said.push(event));
    engine.on('ended', (...event) => said.push(event));
    endpoint.respond['GET'] = (response) => response.writeHead(404).end();
    await until('the publisher is lost', () => said.length === 3);
    assert.deepEqual(said, [
      [viewer.id, 'transport_lost'],
      ['show', null],
      [publisher.id, 'transport_lost'],
    ]);
    endpoint.respond['GET'] = (response) => response.writeHead(200).end('{"ready":true}');
    await assert.doesNotReject(live());
  });

  it('of publishers end at the deadline of a server that lost its database', async () => {
    const { endpoint, engine, live } = await open();
    const publisher = await live();
    const lost = once(engine, 'session-lost');
    engine.publishUntil(monotonicNow() + 50);
    assert.deepEqual(await lost, [publisher.id, 'transport_lost']);
    await endpoint.received('DELETE', 1);
  });

  it('are ended when the server stops, and those of a server that is gone when it is found', async () => {
    const { endpoint, engine, notes, live } = await open();
    await live();
    const note = (id: string) => ({ id, session: { url: `${endpoint.origin}/session/${id}`, token: null } });
    await notes.add('gone', note('a'), 5);
    await notes.add('alive', note('b'), 5);
    await notes.add('has joined since', note('c'), 6);
    await engine.endOrphans(['alive'], 5);
    await endpoint.received('DELETE', 1);
    assert.deepEqual(endpoint.pathsOf('DELETE'), ['/session/a']);
    await engine.close();
    assert.deepEqual(endpoint.pathsOf('DELETE'), ['/session/a', '/session/1']);
    assert.deepEqual(notes.ids, ['b', 'c']);
  });

  it('are opened while those that a lost server left at an upstream that is away are asked for again', async () => {
    const { endpoint, engine, notes, live } = await open();
    for (let index = 0; index < LEFT; index += 1) {
      const session = { url: `${endpoint.origin}/session/left-${index}`, token: null };
      await notes.add('gone', { id: `left ${index}`, session }, 1);
    }
    endpoint.respond['DELETE'] = (response) => response.writeHead(503).end();
    await engine.endOrphans([], 1);
    await endpoint.received('DELETE', LEFT);
    const opening = live();
    opening.catch(() => {});
    await until('the offer is sent', () => endpoint.of('POST').length > 0);
    await opening;
    assert.equal(notes.ids.length, LEFT + 1);
  });

  it('are ended again and again where the upstream is away, and stay noted until then', async () => {
    const endpoint = await whipEndpoint(cleanup);
    const notes = new MemoryNotes();
    const client = new UpstreamClient(LOOPBACK);
    const removals = new SessionRemovals({ client, notes, log, pausesMs: [1] });
    const session = { url: `${endpoint.origin}/session/1`, token: null };
    await notes.add('this', { id: 'a', session }, 1);
    const remove = endpoint.respond['DELETE']!;
    let answer = (): void => {};
    endpoint.respond['DELETE'] = (response, call) => {
      if (endpoint.of('DELETE').length < 3) response.writeHead(503).end();
      else answer = () => remove(response, call);
    };
    const removed = removals.remove('a', session);
    await endpoint.received('DELETE', 3);
    assert.deepEqual(notes.ids, ['a']);
    answer();
    await removed;
    assert.deepEqual(notes.ids, []);
  });
});
