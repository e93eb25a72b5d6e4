export const HOUR_MS = 3_600_000;

/** The number of the hour since 1970 (UTC) that contains a time in milliseconds. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

/** The part of one session that lies in one hour. Times are milliseconds since 1970. */
export interface SessionHour {
  readonly accountId: string;
  readonly streamName: string;
  readonly role: 'publisher' | 'viewer';
  readonly tokenId: number | null;
  readonly openedOn: number;
  /** Null: no media of the live stream has reached the session. */
  readonly firstMediaOn: number | null;
  readonly seenOn: number;
  /** How long media reached the viewer, or came from the publisher, within the hour. */
  readonly mediaMs: number;
}

/** The sums of one stream in one hour. */
export interface StreamHour {
  readonly accountId: string;
  readonly streamName: string;
  readonly hour: number;
  /** The sessions that opened in the hour, so that the sum over hours counts each once. */
  readonly viewerSessions: number;
  readonly publisherSessions: number;
  /** The most viewers that had received media and were not gone, at one time. */
  readonly peakViewers: number;
  readonly watchedMs: number;
  /** With several sources at once the sum of all. */
  readonly broadcastMs: number;
}

/** The sums of one token in one hour. */
export interface TokenHour {
  readonly accountId: string;
  readonly tokenId: number;
  readonly kind: 'publish' | 'subscribe';
  readonly hour: number;
  /** The sessions that opened in the hour. */
  readonly sessions: number;
  readonly mediaMs: number;
  readonly firstUsedOn: number;
  readonly lastUsedOn: number;
}

export interface HourStatistics {
  readonly streams: readonly StreamHour[];
  readonly tokens: readonly TokenHour[];
}

/** The sums of one hour. @param sessions all that were open in the hour */
export function statisticsOfHour(hour: number, sessions: readonly SessionHour[]): HourStatistics {
  const ofStream = Map.groupBy(sessions, ({ accountId, streamName }) => JSON.stringify([accountId, streamName]));
  const ofToken = Map.groupBy(
    sessions.filter(({ tokenId }) => tokenId !== null),
    ({ accountId, tokenId }) => JSON.stringify([accountId, tokenId]),
  );
  return {
    streams: [...ofStream.values()].map((some) => streamHour(hour, some)),
    tokens: [...ofToken.values()].map((some) => tokenHour(hour, some)),
  };
}

function streamHour(hour: number, sessions: readonly SessionHour[]): StreamHour {
  const { accountId, streamName } = sessions[0]!;
  const viewers = sessions.filter(({ role }) => role === 'viewer');
  const publishers = sessions.filter(({ role }) => role === 'publisher');
  return {
    accountId,
    streamName,
    hour,
    viewerSessions: openedIn(hour, viewers),
    publisherSessions: openedIn(hour, publishers),
    peakViewers: peakOf(hour, viewers),
    watchedMs: mediaMsOf(viewers),
    broadcastMs: mediaMsOf(publishers),
  };
}

function tokenHour(hour: number, sessions: readonly SessionHour[]): TokenHour {
  const { accountId, tokenId, role } = sessions[0]!;
  const [begin, end] = [hour * HOUR_MS, (hour + 1) * HOUR_MS];
  return {
    accountId,
    tokenId: tokenId!,
    kind: role === 'publisher' ? 'publish' : 'subscribe',
    hour,
    sessions: openedIn(hour, sessions),
    mediaMs: mediaMsOf(sessions),
    firstUsedOn: sessions.reduce((first, { openedOn }) => Math.min(first, Math.max(openedOn, begin)), end),
    lastUsedOn: sessions.reduce((last, { seenOn }) => Math.max(last, Math.min(seenOn, end)), begin),
  };
}

function openedIn(hour: number, sessions: readonly SessionHour[]): number {
  return sessions.filter(({ openedOn }) => hourOf(openedOn) === hour).length;
}

function mediaMsOf(sessions: readonly SessionHour[]): number {
  return sessions.reduce((sum, { mediaMs }) => sum + mediaMs, 0);
}

/** The most sessions at one time. One that ends when another begins is not counted with it. */
function peakOf(hour: number, viewers: readonly SessionHour[]): number {
  const [begin, end] = [hour * HOUR_MS, (hour + 1) * HOUR_MS];
  const changes = viewers.flatMap(({ firstMediaOn, seenOn }): readonly (readonly [time: number, change: 1 | -1])[] => {
    if (firstMediaOn === null || firstMediaOn >= end) return [];
    const from = Math.max(firstMediaOn, begin);
    return [
      [from, 1],
      // A session that was seen for an instant counts too.
      [Math.max(Math.min(seenOn, end), from + 1), -1],
    ];
  });
  let [now, peak] = [0, 0];
  for (const [, change] of changes.toSorted(([one, more], [other, less]) => one - other || more - less)) {
    now += change;
    peak = Math.max(peak, now);
  }
  return peak;
}
