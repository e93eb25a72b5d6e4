import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import * as fc from 'fast-check';
import { CHECK_INTERVAL_MS, keepAlive, type Pingable } from '../../../server/signalling/heartbeat.js';

class Socket extends EventEmitter implements Pingable {
  pings = 0;
  isTerminated = false;
  ping(): void {
    this.pings += 1;
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

describe('keepAlive', () => {
  let socket: Socket;
  const pass = (intervals = 1) => mock.timers.tick(intervals * CHECK_INTERVAL_MS);

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    socket = new Socket();
    keepAlive(socket);
  });

  afterEach(() => mock.timers.reset());

  it('keeps the websocket of a client that answers, and pings it every second interval', () => {
    for (let i = 0; i < 10; i += 1) {
      pass();
      if (socket.pings * 2 === i + 2) socket.emit('pong');
    }
    assert.deepEqual([socket.pings, socket.isTerminated], [5, false]);
  });

  it('sends no ping to a client that sends a message in each interval', () => {
    for (let i = 0; i < 10; i += 1) {
      socket.emit('message');
      pass();
    }
    assert.deepEqual([socket.pings, socket.isTerminated], [0, false]);
  });

  it('terminates the websocket of a client that did not answer a ping within an interval', () => {
    pass();
    assert.deepEqual([socket.pings, socket.isTerminated], [1, false]);
    pass();
    assert.equal(socket.isTerminated, true);
  });

  it('notices every client that disappears, whenever it does, within three intervals', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (sends) => {
        const vanishing = new Socket();
        keepAlive(vanishing);
        for (const isHeard of sends) {
          vanishing.emit(isHeard ? 'message' : 'pong');
          pass();
        }
        assert.equal(vanishing.isTerminated, false);
        pass(2);
        assert.equal(vanishing.isTerminated, true);
        vanishing.emit('close');
      }),
    );
  });

  it('sends no ping after the websocket closed', () => {
    socket.emit('close');
    pass(10);
    assert.equal(socket.pings, 0);
  });
});
