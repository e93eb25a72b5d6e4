import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import type { StreamNews } from '../../../server/streams/stream.js';
import type { Occurrence } from '../../../server/webhooks/occurrence.js';
import { NO_VIEWERS_AFTER_MS, StreamOccurrences } from '../../../server/webhooks/stream-occurrences.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const streamId = streamIdOf('main', 'rooms/one');
const started: StreamNews = { name: 'started', streamId, since: 5 };
const ended: StreamNews = { name: 'ended', streamId, since: 5 };
const watched: StreamNews = { name: 'watched', streamId };
const unwatched: StreamNews = { name: 'unwatched', streamId };

describe('the events of a stream', () => {
  let types: string[];
  let streams: StreamOccurrences;
  beforeEach(() => {
    types = [];
    streams = new StreamOccurrences({ onOccurrence: ({ event }) => types.push(event.type), now: () => 9 });
  });
  const apply = (...news: StreamNews[]) => {
    for (const one of news) streams.apply(one);
  };

  it('name the account and the stream, and stay in one order', () => {
    const told: Occurrence[] = [];
    streams = new StreamOccurrences({ onOccurrence: (occurrence) => told.push(occurrence), now: () => 9 });
    apply(started);
    const data = { streamName: 'rooms/one', streamId, startedOn: '1970-01-01T00:00:00.005Z' };
    assert.deepEqual(told, [
      {
        eventId: told[0]?.eventId,
        accountId: 'main',
        time: 5,
        orderKey: 'stream rooms/one',
        event: { type: 'stream.started', data },
      },
    ]);
  });

  it('say that viewers came, and that they went when the stream ends', () => {
    apply(started, watched, unwatched, ended);
    assert.deepEqual(types, ['stream.started', 'stream.first_viewer', 'stream.no_viewers', 'stream.ended']);
  });

  it('say that nobody watches after a minute, and not for a viewer who comes back', (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    apply(started, watched, unwatched);
    test.mock.timers.tick(NO_VIEWERS_AFTER_MS - 1);
    apply(watched, unwatched);
    test.mock.timers.tick(NO_VIEWERS_AFTER_MS - 1);
    assert.deepEqual(types, ['stream.started', 'stream.first_viewer']);
    test.mock.timers.tick(1);
    apply(watched);
    assert.deepEqual(types.slice(2), ['stream.no_viewers', 'stream.first_viewer']);
  });

  it('come in pairs, one within the other, whatever viewers do', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const step = fc.oneof(
      fc.constantFrom(watched, unwatched).map((news) => () => apply(news)),
      fc.integer({ min: 1, max: 2 * NO_VIEWERS_AFTER_MS }).map((ms) => () => mock.timers.tick(ms)),
    );
    try {
      fc.assert(
        fc.property(fc.array(fc.array(step)), (broadcasts) => {
          types = [];
          for (const steps of broadcasts) {
            apply(started);
            for (const run of steps) run();
            apply(ended);
          }
          assert.match(
            types.join(' '),
            /^(?:stream.started(?: stream.first_viewer stream.no_viewers)* stream.ended ?)*$/,
          );
        }),
      );
    } finally {
      mock.timers.reset();
    }
  });
});
