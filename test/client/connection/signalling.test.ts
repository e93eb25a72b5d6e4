import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { openSignalling } from '../../../src/client/connection/signalling.js';
import { RejectedError, type StreamError } from '../../../src/client/errors.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** An open websocket. The test answers its commands. */
async function open(t: TestContext) {
  const browser = new FakeBrowser(t);
  const events: unknown[] = [];
  const lost: string[] = [];
  const life = new AbortController();
  const signalling = await openSignalling('ws://fake.test/ws?token=a.b.c', {
    signal: life.signal,
    onEvent: (name, data) => events.push([name, data]),
    onLost: ({ code }) => lost.push(code),
  });
  const [socket] = browser.sockets;
  const sent: { transId: number; name: string }[] = [];
  socket!.send = (frame) => sent.push(JSON.parse(frame));
  return { socket: socket!, signalling, events, lost, sent, life };
}

describe('a signalling connection', () => {
  it('returns to each command its own answer, in any order of the answers', async (t) => {
    const { socket, signalling, sent } = await open(t);
    const answers = Promise.all([signalling.command('view', {}), signalling.command('select', {})]);
    socket.receive({ type: 'response', transId: sent[1]!.transId, data: 'second' });
    socket.receive({ type: 'response', transId: sent[0]!.transId, data: 'first' });
    assert.deepEqual(await answers, ['first', 'second']);
  });

  it('throws the code and the message of a refused command', async (t) => {
    const { socket, signalling, sent } = await open(t);
    const command = signalling.command('project', {});
    socket.receive({ type: 'error', transId: sent[0]!.transId, data: 'No such source', code: 'unknown_source' });
    await assert.rejects(command, (error: unknown) => {
      assert.ok(error instanceof RejectedError);
      assert.deepEqual([error.reason, error.message], ['unknown_source', 'No such source']);
      return true;
    });
  });

  it('throws refused where the error has no code', async (t) => {
    const { socket, signalling, sent } = await open(t);
    const command = signalling.command('view', {});
    socket.receive({ type: 'error', transId: sent[0]!.transId, data: { odd: true } });
    await assert.rejects(command, { reason: 'refused', message: 'The server ended the session' });
  });

  it('drops events with a lower number than the last one, and keeps those without a number', async (t) => {
    const { socket, events } = await open(t);
    for (const seq of [2, 1, undefined, 3]) socket.receive({ type: 'event', name: 'viewercount', seq, data: seq });
    assert.deepEqual(events, [
      ['viewercount', 2],
      ['viewercount', undefined],
      ['viewercount', 3],
    ]);
  });

  it('ignores every frame that is not a message', async (t) => {
    const { socket, events, lost } = await open(t);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (data) => {
        if (/"type":\s*"event"/.test(data)) return;
        socket.dispatchEvent(new MessageEvent('message', { data }));
      }),
    );
    assert.deepEqual([events, lost], [[], []]);
  });

  it('reports once that it was lost', async (t) => {
    const { socket, lost } = await open(t);
    socket.end();
    await settled();
    assert.deepEqual(lost, ['unreachable']);
  });

  it('dispatches nothing after abort', async (t) => {
    const { socket, events, life } = await open(t);
    life.abort();
    socket.receive({ type: 'event', name: 'active' });
    assert.deepEqual(events, []);
  });

  it('throws if the signal is already aborted, and opens no socket', async (t) => {
    const browser = new FakeBrowser(t);
    const options = { signal: AbortSignal.abort(), onEvent: () => {}, onLost: (_error: StreamError) => {} };
    await assert.rejects(openSignalling('ws://fake.test/ws?token=a.b.c', options));
    assert.equal(browser.sockets.length, 0);
  });
});
