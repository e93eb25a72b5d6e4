import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { followFaults } from '../../../server/faults/fault.js';
import { WaitingGuests, type WaitingSocket } from '../../../server/signalling/waiting-guests.js';
import { streamIdOf, type StreamId } from '../../../server/streams/stream-id.js';

const MINUTE_MS = 60_000;

class Socket extends EventEmitter implements WaitingSocket {
  readonly OPEN = 1;
  readyState = 1;
  readonly frames: object[] = [];
  closed: [code: number, reason: string | undefined] | undefined;
  pings = 0;
  send(frame: string): void {
    this.frames.push(JSON.parse(frame) as object);
  }
  close(code: number, reason?: string): void {
    this.closed = [code, reason];
    this.readyState = 3;
    this.emit('close');
  }
  ping(): void {
    this.pings += 1;
  }
  terminate(): void {
    this.close(1006);
  }
  say(name: string): void {
    this.emit('message', JSON.stringify({ type: 'cmd', transId: 5, name }));
  }
}

const TOLD = { type: 'response', transId: 3, data: { live: true } };
const MAIN = streamIdOf('main', 'show');

describe('guests who wait', () => {
  /** What guests may see. */
  let open: Set<StreamId>;
  /** What somebody publishes, seen or not. */
  let published: Set<StreamId>;
  /** When the broadcasts ended that guests may know of. */
  let ended: Map<StreamId, number>;
  let streams: EventEmitter<{ 'publishers-changed': [StreamId]; news: [{ name: string; streamId: StreamId }] }>;
  let tokens: EventEmitter<{ changed: [] }>;
  let looks: number;
  let hasRoom: boolean;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
    [open, published, ended, looks] = [new Set(), new Set(), new Map(), 0];
    [streams, tokens, hasRoom] = [new EventEmitter(), new EventEmitter(), true];
  });
  afterEach(() => mock.timers.reset());

  const guests = (mostWaiting = 10_000) =>
    new WaitingGuests({
      shownToGuests: (accountId, streamName) => {
        looks += 1;
        return {
          live: open.has(streamIdOf(accountId, streamName)),
          requiresToken: false,
          endedOn: ended.get(streamIdOf(accountId, streamName)),
        };
      },
      streams: Object.assign(streams, {
        stateOf: (streamId: StreamId) => ({ publishers: published.has(streamId) ? [{}] : [] }),
      }),
      tokens,
      hasRoom: () => hasRoom,
      mostWaiting,
      random: () => 0,
      now: Date.now,
    });
  const arrive = (waiting: WaitingGuests, streamName = 'show', address = '192.0.2.1') => {
    const socket = new Socket();
    waiting.add(socket, address, {
      type: 'cmd',
      transId: 3,
      name: 'await',
      data: { streamName, streamAccountId: 'main' },
    });
    return socket;
  };
  const begin = (streamId = MAIN) => {
    open.add(streamId);
    streams.emit('news', { name: 'started', streamId });
  };

  it('are told nothing until their stream begins, and then that it is live', () => {
    const waiting = guests();
    const [guest, other] = [arrive(waiting), arrive(waiting, 'another')];
    streams.emit('publishers-changed', MAIN);
    assert.deepEqual([guest.frames, guest.closed], [[], undefined]);
    begin();
    assert.deepEqual([guest.frames, guest.closed], [[TOLD], undefined]);
    // Its client has not closed the websocket itself.
    mock.timers.tick(5_000);
    assert.deepEqual(guest.closed, [1000, undefined]);
    assert.deepEqual([other.frames, waiting.size], [[], 1]);
  });

  it('are told at once of a stream that began meanwhile', () => {
    open.add(MAIN);
    assert.deepEqual(arrive(guests()).frames, [TOLD]);
  });

  it('are told that the broadcast has ended, once, when they come or when it is known, and then of the next', () => {
    const waiting = guests();
    const early = arrive(waiting);
    ended.set(MAIN, 7);
    streams.emit('publishers-changed', MAIN);
    streams.emit('publishers-changed', MAIN);
    const late = arrive(waiting);
    const data = { streamId: MAIN, sourceId: null, declared: true, endedOn: 7 };
    const END = { type: 'event', name: 'inactive', seq: 0, data };
    assert.deepEqual([early.frames, late.frames], [[END], [END]]);
    begin();
    assert.deepEqual(
      [early.frames, late.frames],
      [
        [END, TOLD],
        [END, TOLD],
      ],
    );
  });

  it('are told of a stream that began on another server', () => {
    const guest = arrive(guests());
    open.add(MAIN);
    streams.emit('publishers-changed', MAIN);
    assert.deepEqual(guest.frames, [TOLD]);
  });

  it('are told the same of a protected stream as of none, until its token no longer protects it', () => {
    const waiting = guests();
    const guest = arrive(waiting);
    published.add(MAIN);
    streams.emit('publishers-changed', MAIN);
    streams.emit('news', { name: 'started', streamId: MAIN });
    assert.deepEqual(guest.frames, []);
    open.add(MAIN);
    tokens.emit('changed');
    assert.deepEqual(guest.frames, [TOLD]);
  });

  it('cost no look at tokens that change while nobody publishes what they wait for', () => {
    const waiting = guests();
    for (let name = 0; name < 100; name += 1) arrive(waiting, `stream ${name}`);
    looks = 0;
    tokens.emit('changed');
    assert.equal(looks, 0);
  });

  /** In steps: what a timer sets is due in the next. */
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 10) mock.timers.tick(10);
  };
  /** How many of a crowd were told. */
  const toldOf = (crowd: readonly Socket[]) => crowd.filter(({ frames }) => frames.length > 0).length;
  const leave = (crowd: readonly Socket[]) => {
    for (const socket of crowd) if (socket.readyState === 1 && socket.frames.length > 0) socket.close(1000);
  };
  const aCrowd = (waiting: WaitingGuests) => Array.from({ length: 1_000 }, () => arrive(waiting));

  it('are one look for a crowd, which is told as fast as its clients ask', () => {
    const waiting = guests();
    const crowd = aCrowd(waiting);
    looks = 0;
    begin();
    assert.deepEqual([toldOf(crowd), looks], [200, 1]);
    mock.timers.tick(10);
    assert.equal(toldOf(crowd), 200, 'nobody has asked');
    leave(crowd.slice(0, 40));
    mock.timers.tick(10);
    assert.equal(toldOf(crowd), 240);
    for (let turn = 0; turn < 10; turn += 1) {
      leave(crowd);
      mock.timers.tick(10);
    }
    leave(crowd);
    assert.deepEqual([toldOf(crowd), waiting.size], [1_000, 0]);
  });

  it('do not wait for long for those who were told and do not ask', () => {
    const waiting = guests();
    const crowd = aCrowd(waiting);
    begin();
    pass(490);
    assert.equal(toldOf(crowd), 200);
    pass(10);
    assert.equal(toldOf(crowd), 400);
    pass(10_000);
    assert.deepEqual([toldOf(crowd), waiting.size], [1_000, 0]);
  });

  it('wait while the server has no room for those who ask, and are told slowly if it has none for long', () => {
    const waiting = guests();
    const crowd = aCrowd(waiting);
    begin();
    hasRoom = false;
    leave(crowd);
    pass(490);
    assert.equal(toldOf(crowd), 200);
    pass(10);
    assert.equal(toldOf(crowd), 400);
    leave(crowd);
    hasRoom = true;
    mock.timers.tick(10);
    assert.equal(toldOf(crowd), 600);
  });

  it('of a stream are not held up by the crowd of another that began before', () => {
    const waiting = guests();
    const crowd = aCrowd(waiting);
    const others = Array.from({ length: 300 }, () => arrive(waiting, 'another'));
    begin();
    begin(streamIdOf('main', 'another'));
    leave(crowd);
    mock.timers.tick(10);
    assert.deepEqual([toldOf(crowd), toldOf(others)], [300, 100]);
    pass(10_000);
    assert.deepEqual([toldOf(crowd), toldOf(others), waiting.size], [1_000, 300, 0]);
  });

  it('are told although the websocket of one of them fails', () => {
    const waiting = guests();
    const crowd = aCrowd(waiting);
    const faults: unknown[] = [];
    const unfollow = followFaults(({ error }) => faults.push(error));
    crowd[0]!.send = () => {
      throw new Error('broken');
    };
    open.add(MAIN);
    streams.emit('publishers-changed', MAIN);
    pass(6_000);
    unfollow();
    assert.equal(faults.length, 1);
    for (const { frames } of crowd.slice(1)) assert.deepEqual(frames, [TOLD]);
  });

  it('ask the director now and then in any case', () => {
    const guest = arrive(guests());
    for (let asked = 0; asked < 20; asked += 1) {
      guest.say('ping');
      mock.timers.tick(MINUTE_MS / 2);
    }
    assert.deepEqual(guest.frames.at(-1), { ...TOLD, data: { live: false } });
  });

  it('are answered when they ask whether somebody is there', () => {
    const guest = arrive(guests());
    guest.say('ping');
    assert.deepEqual(guest.frames, [{ type: 'response', transId: 5, data: {} }]);
    guest.say('view');
    assert.deepEqual(guest.closed, [1008, 'invalid_command']);
  });

  it('who are gone without a word are forgotten', () => {
    const waiting = guests();
    const guest = arrive(waiting);
    mock.timers.tick(MINUTE_MS);
    assert.deepEqual([guest.pings, guest.closed, waiting.size], [1, [1006, undefined], 0]);
  });

  it('are refused where they name no stream', () => {
    const socket = new Socket();
    const waiting = guests();
    waiting.add(socket, '', { type: 'cmd', transId: 3, name: 'await', data: { streamName: 'show' } });
    assert.deepEqual([socket.closed, waiting.size], [[1008, 'invalid_command'], 0]);
  });

  it('of the network that has the most places lose one when all are taken', () => {
    const waiting = guests(3);
    const [first, second] = [arrive(waiting), arrive(waiting)];
    const stranger = arrive(waiting, 'show', '198.51.100.1');
    arrive(waiting, 'show', '203.0.113.1');
    assert.deepEqual([first.closed, second.closed, stranger.closed], [[1013, 'busy'], undefined, undefined]);
    assert.deepEqual([waiting.size, waiting.displaced], [3, 1]);
  });
});
