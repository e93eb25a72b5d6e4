import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { keepAlive, PING_INTERVAL_MS, type Pingable } from '../../../server/signalling/heartbeat.js';

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

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    socket = new Socket();
    keepAlive(socket);
  });

  afterEach(() => mock.timers.reset());

  it('keeps the websocket of a client that answers', () => {
    for (let i = 0; i < 10; i += 1) {
      mock.timers.tick(PING_INTERVAL_MS);
      socket.emit('pong');
    }
    assert.deepEqual([socket.pings, socket.isTerminated], [10, false]);
  });

  it('terminates the websocket of a client that did not answer a ping before the next one', () => {
    mock.timers.tick(PING_INTERVAL_MS);
    assert.equal(socket.isTerminated, false);
    mock.timers.tick(PING_INTERVAL_MS);
    assert.equal(socket.isTerminated, true);
  });

  it('sends no ping after the websocket closed', () => {
    socket.emit('close');
    mock.timers.tick(10 * PING_INTERVAL_MS);
    assert.equal(socket.pings, 0);
  });
});
