import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { awaitStart } from '../../../src/client/viewer/await-start.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A viewer that waits, and the server's end of its websocket. */
async function wait(t: TestContext) {
  const browser = new FakeBrowser(t);
  browser.takesPreconnect = true;
  // The global object of Node is not an event target.
  const signals = new EventTarget();
  Object.assign(globalThis, { addEventListener: signals.addEventListener.bind(signals) });
  t.after(() => Reflect.deleteProperty(globalThis, 'addEventListener'));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const life = new AbortController();
  const request = { streamName: 'show', streamAccountId: 'main' };
  const ends: unknown[] = [];
  const start = awaitStart('ws://fake.test/ws/v2/sub', request, (end) => ends.push(end), life.signal);
  start.catch(() => {});
  const [socket] = browser.sockets;
  const sent: { transId: number; name: string; data: object }[] = [];
  socket!.send = (frame) => sent.push(JSON.parse(frame));
  await settled();
  const answer = (name: string, data: object = {}) =>
    socket!.receive({ type: 'response', transId: sent.findLast((command) => command.name === name)!.transId, data });
  const names = () => sent.map(({ name }) => name);
  /** In steps, because each look sets the timer of the next one. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await settled();
      t.mock.timers.tick(1_000);
    }
    await settled();
  };
  return { signals, socket: socket!, ends, life, start, sent, answer, names, pass };
}

describe('a viewer without a token who waits', () => {
  it('names the stream, and learns that it is live', async (t) => {
    const { start, sent, answer, socket } = await wait(t);
    assert.deepEqual(sent[0], {
      type: 'cmd',
      transId: 0,
      name: 'await',
      data: { streamName: 'show', streamAccountId: 'main' },
    });
    answer('await', { live: true });
    assert.equal(await start, true);
    assert.equal(socket.readyState, 3);
  });

  it('learns that nobody knows, and asks elsewhere', async (t) => {
    const { start, answer } = await wait(t);
    answer('await', { live: false });
    assert.equal(await start, false);
  });

  it('learns that it came after the end of a broadcast, and waits on', async (t) => {
    const { start, answer, socket, ends } = await wait(t);
    const data = { streamId: 'main/show', sourceId: null, declared: true, endedOn: 5 };
    socket.receive({ type: 'event', name: 'inactive', seq: 0, data });
    assert.deepEqual(ends, [data]);
    answer('await', { live: true });
    assert.equal(await start, true);
  });

  it('fails where it cannot wait', async (t) => {
    const { start, socket } = await wait(t);
    socket.receive({ type: 'error', transId: 0, data: 'the first command needs the grant', code: 'grant_missing' });
    await assert.rejects(start, { reason: 'grant_missing' });
  });

  it('fails when the connection closes', async (t) => {
    const { start, socket } = await wait(t);
    socket.close();
    await assert.rejects(start, { code: 'unreachable' });
  });

  it('asks for signs of life twice a minute, and fails without one', async (t) => {
    const { start, names, answer, pass } = await wait(t);
    await pass(4_000);
    assert.deepEqual(names(), ['await', 'ping']);
    answer('ping');
    await pass(30_000);
    assert.deepEqual(names(), ['await', 'ping']);
    await pass(4_000);
    assert.deepEqual(names(), ['await', 'ping', 'ping']);
    await pass(6_000);
    await assert.rejects(start, { code: 'unreachable' });
  });

  it('fails when the browser is online again, because the connection may be dead', async (t) => {
    const { start, signals } = await wait(t);
    signals.dispatchEvent(new Event('online'));
    await assert.rejects(start);
  });

  it('ends with its viewer, and leaves nothing open', async (t) => {
    const { life, start, socket, names, pass } = await wait(t);
    life.abort();
    await assert.rejects(start);
    assert.equal(socket.readyState, 3);
    await pass(100_000);
    assert.deepEqual(names(), ['await']);
  });
});
