import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { EventStream } from '../../../server/ingest/event-stream.js';
import type { ClientEvent } from '../../../server/streams/stream-event.js';
import { type StreamId, streamIdOf } from '../../../server/streams/stream-id.js';

/** A response whose client reads nothing: everything stays buffered. */
function unread(): { response: ServerResponse; written: () => string } {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const pieces: string[] = [];
  const { write } = response;
  response.write = (chunk: unknown) => {
    pieces.push(String(chunk));
    return write.call(response, chunk, 'utf8');
  };
  return { response, written: () => pieces.join('') };
}

function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { response, written } = unread();
  const stream = new EventStream(response, () => {});
  return { response, written, stream };
}

const inactive = (streamId: StreamId): ClientEvent => ({
  seq: 7,
  name: 'inactive',
  data: { streamId, sourceId: null },
});

describe('EventStream', () => {
  it('writes the number, the name and the data of an event', (t) => {
    const { stream, written } = open(t);
    stream.send(inactive(streamIdOf('main', 'a\nb')));
    assert.equal(written(), 'id: 7\nevent: inactive\ndata: {"streamId":"main/a\\nb","sourceId":null}\n\n');
  });

  it('writes migrate as reconnect, the name in the draft', (t) => {
    const { stream, written } = open(t);
    stream.send({ seq: 8, name: 'migrate', data: { streamId: streamIdOf('main', 'main') } });
    assert.equal(written(), 'id: 8\nevent: reconnect\ndata: {"streamId":"main/main"}\n\n');
  });

  it('writes a comment every 15 seconds until it ends', (t) => {
    const { stream, written } = open(t);
    t.mock.timers.tick(30_000);
    assert.equal(written(), ':\n\n:\n\n');
    stream.end();
    t.mock.timers.tick(30_000);
    assert.equal(written(), ':\n\n:\n\n');
  });

  it('destroys the response of a client that reads nothing', (t) => {
    const { stream, response } = open(t);
    const event = inactive(streamIdOf('main', 'x'.repeat(1_000)));
    for (let sent = 0; sent < 200; sent += 1) stream.send(event);
    assert.equal(response.destroyed, false);
    for (let sent = 0; sent < 200; sent += 1) stream.send(event);
    assert.equal(response.destroyed, true);
    assert.ok(response.writableLength < 512 * 1024);
  });
});
