import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { keepAlive, PING_INTERVAL_MS, type Pingable } from '../../../server/signalling/heartbeat.js';

class Socket extends EventEmitter implements Pingable {
  pings = 0;
  isCut = false;
  ping(): void {
    this.pings += 1;
  }
  terminate(): void {
    this.isCut = true;
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

  it('keeps a client that answers', () => {
    for (let i = 0; i < 10; i += 1) {
      mock.timers.tick(PING_INTERVAL_MS);
      socket.emit('pong');
    }
    assert.deepEqual([socket.pings, socket.isCut], [10, false]);
  });

  it('cuts a client that left a ping unanswered until the next one was due', () => {
    mock.timers.tick(PING_INTERVAL_MS);
    assert.equal(socket.isCut, false);
    mock.timers.tick(PING_INTERVAL_MS);
    assert.equal(socket.isCut, true);
  });

  it('asks no more once the socket is closed', () => {
    socket.emit('close');
    mock.timers.tick(10 * PING_INTERVAL_MS);
    assert.equal(socket.pings, 0);
  });
});
