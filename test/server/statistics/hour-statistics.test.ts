import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS, hourOf, statisticsOfHour, type SessionHour } from '../../../server/statistics/hour-statistics.js';

const HOUR = 100;
const BEGIN = HOUR * HOUR_MS;

const aSession = (overrides: Partial<SessionHour> = {}): SessionHour => ({
  accountId: 'acme',
  streamName: 'main',
  role: 'viewer',
  tokenId: 7,
  openedOn: BEGIN + 1_000,
  firstMediaOn: BEGIN + 2_000,
  seenOn: BEGIN + 60_000,
  mediaMs: 58_000,
  ...overrides,
});

const peakOf = (...sessions: Partial<SessionHour>[]) =>
  statisticsOfHour(HOUR, sessions.map(aSession)).streams[0]?.peakViewers;

describe('the sums of an hour', () => {
  it('are those of each stream, with viewers apart from publishers', () => {
    const { streams } = statisticsOfHour(HOUR, [
      aSession(),
      aSession({ mediaMs: 2_000 }),
      aSession({ role: 'publisher', tokenId: 1, mediaMs: 70_000 }),
      aSession({ streamName: 'side', mediaMs: 5_000 }),
    ]);
    const sums = { accountId: 'acme', hour: HOUR };
    assert.deepEqual(streams, [
      {
        ...sums,
        streamName: 'main',
        viewerSessions: 2,
        publisherSessions: 1,
        peakViewers: 2,
        watchedMs: 60_000,
        broadcastMs: 70_000,
      },
      {
        ...sums,
        streamName: 'side',
        viewerSessions: 1,
        publisherSessions: 0,
        peakViewers: 1,
        watchedMs: 5_000,
        broadcastMs: 0,
      },
    ]);
  });

  it('are those of each token, between its first and last use in the hour', () => {
    const { tokens } = statisticsOfHour(HOUR, [
      aSession({ openedOn: BEGIN - 5_000, seenOn: BEGIN + 10 }),
      aSession({ openedOn: BEGIN + 3_000, seenOn: BEGIN + 2 * HOUR_MS }),
      aSession({ tokenId: null }),
      aSession({ role: 'publisher', tokenId: 1 }),
    ]);
    assert.deepEqual(
      tokens.map(({ tokenId, kind, sessions, mediaMs, firstUsedOn, lastUsedOn }) => [
        tokenId,
        kind,
        sessions,
        mediaMs,
        firstUsedOn - BEGIN,
        lastUsedOn - BEGIN,
      ]),
      [
        [7, 'subscribe', 1, 116_000, 0, HOUR_MS],
        [1, 'publish', 1, 58_000, 1_000, 60_000],
      ],
    );
  });

  it('count a session in the hour in which it opened, and its viewer in every hour', () => {
    const { streams } = statisticsOfHour(HOUR, [aSession({ openedOn: BEGIN - 1, firstMediaOn: BEGIN - 1 })]);
    assert.deepEqual([streams[0]?.viewerSessions, streams[0]?.peakViewers], [0, 1]);
  });

  it('separate names that differ in any character', () => {
    const { streams } = statisticsOfHour(HOUR, [
      aSession({ accountId: 'a', streamName: 'b","c' }),
      aSession({ accountId: 'a","b', streamName: 'c' }),
    ]);
    assert.equal(streams.length, 2);
  });
});

describe('the peak', () => {
  it('is the most viewers at one time', () => {
    assert.equal(
      peakOf(
        { firstMediaOn: BEGIN, seenOn: BEGIN + 20 },
        { firstMediaOn: BEGIN + 10, seenOn: BEGIN + 30 },
        { firstMediaOn: BEGIN + 20, seenOn: BEGIN + 40 },
      ),
      2,
    );
  });

  it('leaves out those who have no media yet, or only after the hour', () => {
    assert.equal(peakOf({ firstMediaOn: null }, { firstMediaOn: BEGIN + HOUR_MS, seenOn: BEGIN + HOUR_MS + 5 }), 0);
  });

  it('includes a viewer who was there for an instant', () => {
    assert.equal(peakOf({ firstMediaOn: BEGIN + 5, seenOn: BEGIN + 5 }), 1);
  });

  it('is what counting at every moment finds', () => {
    const moment = fc.integer({ min: -5, max: 25 });
    const session = fc.record({ from: fc.option(moment), lasts: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(session, { maxLength: 12 }), (sessions) => {
        const viewers = sessions.map(({ from, lasts }) =>
          aSession({
            firstMediaOn: from === null ? null : BEGIN + from,
            seenOn: BEGIN + (from ?? 0) + lasts,
          }),
        );
        const present = (time: number) =>
          viewers.filter(({ firstMediaOn, seenOn }) => firstMediaOn !== null && firstMediaOn <= time && time < seenOn);
        const moments = Array.from({ length: 45 }, (_, index) => present(BEGIN + index).length);
        // A session that ended before the hour is not among those of the hour.
        const inHour = viewers.filter(({ seenOn }) => seenOn > BEGIN);
        const { streams } = statisticsOfHour(HOUR, inHour);
        assert.equal(streams[0]?.peakViewers ?? 0, Math.max(...moments));
      }),
    );
  });
});

it('an hour begins at its full hour of UTC', () => {
  assert.equal(hourOf(Date.parse('2030-01-01T10:59:59.999Z')), hourOf(Date.parse('2030-01-01T10:00:00Z')));
  assert.equal(hourOf(Date.parse('2030-01-01T11:00:00Z')) * HOUR_MS, Date.parse('2030-01-01T11:00:00Z'));
});
