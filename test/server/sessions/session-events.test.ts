import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionOutbox, type SessionEvents } from '../../../server/sessions/session-events.js';
import type { StopNotice } from '../../../server/sessions/stop-notice.js';
import type { ClientEvent } from '../../../server/streams/stream-event.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const inactive = (seq: number): ClientEvent => ({
  seq,
  name: 'inactive',
  data: { streamId: streamIdOf('acme', 'main'), sourceId: null },
});
const migrate = (seq: number): ClientEvent => ({
  seq,
  name: 'migrate',
  data: { streamId: streamIdOf('acme', 'main') },
});
const waiting = (seq: number): ClientEvent => ({
  seq,
  name: 'waiting',
  data: { streamId: streamIdOf('acme', 'main') },
});
const notice: StopNotice = {
  streamId: streamIdOf('acme', 'main'),
  code: 'idle',
  message: 'idle',
  closeCode: 4005,
  seq: 9,
};

function recorder(): SessionEvents & { readonly received: (number | string)[] } {
  const received: (number | string)[] = [];
  return { received, send: ({ seq }) => received.push(seq), stop: ({ code }) => received.push(code) };
}

describe('SessionOutbox', () => {
  it('sends all events until some are selected, and in any case that the viewer waits', () => {
    const [outbox, connection] = [new SessionOutbox(), recorder()];
    outbox.attach(connection);
    outbox.send(inactive(1));
    outbox.selectEvents(['migrate']);
    outbox.send(inactive(2));
    outbox.send(migrate(3));
    outbox.send(waiting(4));
    outbox.selectEvents(undefined);
    outbox.send(inactive(5));
    assert.deepEqual(connection.received, [1, 3, 4, 5]);
  });

  it('keeps the selected events for the connection that is attached later', () => {
    const [outbox, connection] = [new SessionOutbox(), recorder()];
    outbox.selectEvents(['migrate']);
    outbox.send(inactive(1));
    outbox.send(migrate(2));
    outbox.attach(connection);
    outbox.send(migrate(3));
    assert.deepEqual(connection.received, [2, 3]);
  });

  it('sends no event twice that was taken from the buffer', () => {
    const [outbox, connection] = [new SessionOutbox(), recorder()];
    outbox.send(inactive(1));
    assert.deepEqual(outbox.takeBuffered(), [inactive(1)]);
    outbox.send(inactive(2));
    outbox.attach(connection);
    assert.deepEqual(connection.received, [2]);
  });

  it('sends a stop notice that came before the connection, after the buffered events and whatever was selected', () => {
    const [outbox, connection] = [new SessionOutbox(), recorder()];
    outbox.send(inactive(1));
    outbox.selectEvents([]);
    outbox.stop(notice);
    assert.equal(outbox.stopped, notice);
    outbox.attach(connection);
    assert.deepEqual(connection.received, [1, 'idle']);
  });
});
