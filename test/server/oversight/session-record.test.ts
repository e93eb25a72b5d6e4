import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SessionRecord, type SessionOrigin } from '../../../server/oversight/session-record.js';
import { FIRST_EVENTS_KEPT, LAST_EVENTS_KEPT } from '../../../server/oversight/session-timeline.js';

const ORIGIN: SessionOrigin = {
  id: 'a',
  accountId: 'acme',
  streamName: 'main',
  role: 'viewer',
  protocol: 'websocket',
  tokenId: 1,
  address: '192.0.2.1',
  origin: null,
};
const opened = (live = false) => new SessionRecord(ORIGIN, { time: 0, live });

describe('SessionRecord', () => {
  it('counts the time while media reaches the viewer and the stream is live', () => {
    const record = opened();
    record.connected('a', 10);
    record.reachable('a', true, 20);
    record.streamLive(true, 100);
    assert.equal(record.storedAt(150).mediaMs, 50);
    record.reachable('a', false, 200);
    record.reachable('a', true, 300);
    record.streamLive(false, 400);
    record.ended('a', 'left', 500);
    const { mediaMs, firstMediaOn, connectedOn, endedOn, reason, timeline } = record.storedAt(900);
    assert.deepEqual([mediaMs, firstMediaOn, connectedOn, endedOn, reason], [200, 100, 10, 500, 'left']);
    assert.deepEqual(
      timeline.events.map(({ time, name }) => `${time} ${name}`),
      [
        '0 opened',
        '10 media_connected',
        '20 reachable',
        '100 stream_live',
        '200 unreachable',
        '300 reachable',
        '400 stream_ended',
        '500 ended',
      ],
    );
  });

  it('has when the server was overloaded', () => {
    const record = new SessionRecord({ ...ORIGIN, role: 'publisher' }, { time: 0, live: false });
    record.serverOverloaded(true, 10);
    record.serverOverloaded(false, 20);
    assert.deepEqual(record.storedAt(30).timeline.events.slice(1), [
      { time: 10, name: 'server_overloaded' },
      { time: 20, name: 'server_relieved' },
    ]);
  });

  it('counts the time while a publisher is connected and its stream is live', () => {
    const record = new SessionRecord({ ...ORIGIN, role: 'publisher' }, { time: 0, live: false });
    record.connected('a', 10);
    record.streamLive(true, 100);
    assert.equal(record.storedAt(150).mediaMs, 50);
    record.ended('a', 'lost', 200);
    record.resumed('b', { time: 300, live: true });
    record.connected('b', 400);
    record.ended('b', 'left', 500);
    const { mediaMs, firstMediaOn, timeline } = record.storedAt(900);
    assert.deepEqual([mediaMs, firstMediaOn], [200, 100]);
    assert.ok(!timeline.events.some(({ name }) => name === 'reachable'));
  });

  it('stays open while a client moves to another session, and counts the time once', () => {
    const record = opened(true);
    record.reachable('a', true, 0);
    record.resumed('b', { time: 100, live: true });
    record.reachable('b', true, 110);
    record.ended('a', 'replaced', 120);
    assert.deepEqual([record.isOpen, record.storedAt(200).endedOn, record.storedAt(200).mediaMs], [true, null, 200]);
    record.ended('b', 'left', 300);
    const { mediaMs, reconnects, reason } = record.storedAt(300);
    assert.deepEqual([mediaMs, reconnects, reason], [300, 1, 'left']);
  });

  it('is open again when the client resumes after the end', () => {
    const record = opened(true);
    record.reachable('a', true, 0);
    record.ended('a', 'lost', 100);
    record.resumed('b', { time: 500, live: false });
    const { endedOn, reason, reconnects, mediaMs } = record.storedAt(600);
    assert.deepEqual([endedOn, reason, reconnects, mediaMs], [null, null, 1, 100]);
  });

  it('never counts more time than has passed, and keeps a bounded timeline, whatever happens', () => {
    const step = fc.record({
      after: fc.integer({ min: -50, max: 1_000 }),
      what: fc.constantFrom('reachable', 'unreachable', 'live', 'offline', 'connected', 'resumed', 'ended'),
      id: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const record = opened();
        let time = 0;
        let passed = 0;
        for (const { after, what, id } of steps) {
          time += after;
          passed += Math.abs(after);
          if (what === 'reachable' || what === 'unreachable') record.reachable(id, what === 'reachable', time);
          else if (what === 'live' || what === 'offline') record.streamLive(what === 'live', time);
          else if (what === 'connected') record.connected(id, time);
          else if (what === 'resumed') record.resumed(id, { time, live: true });
          else record.ended(id, 'left', time);
        }
        const { mediaMs, timeline, endedOn, reason } = record.storedAt(time);
        assert.ok(mediaMs >= 0 && mediaMs <= passed);
        assert.ok(timeline.events.length <= FIRST_EVENTS_KEPT + LAST_EVENTS_KEPT);
        assert.equal(timeline.events[0]?.name, 'opened');
        assert.equal(endedOn === null, reason === null);
        assert.equal(record.isOpen, endedOn === null);
      }),
    );
  });
});
