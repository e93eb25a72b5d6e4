/** For how long a session had media, in all, when it was last saved in an hour. */
export interface SessionHourTable {
  session_id: string;
  /** Hours since 1970. */
  hour: number;
  media_ms: number;
}

/** The hours in which sessions were saved since their sums were last made. */
export interface HourToRollUpTable {
  hour: number;
}

/** Sums of the sessions of a stream. See hour-statistics.ts. */
export interface StreamHourTable {
  account_id: string;
  stream_name: string;
  hour: number;
  viewer_sessions: number;
  peak_viewers: number;
  watched_ms: number;
  publisher_sessions: number;
  broadcast_ms: number;
}

/** Sums of the sessions of a token. */
export interface TokenHourTable {
  account_id: string;
  token_id: number;
  hour: number;
  kind: 'publish' | 'subscribe';
  sessions: number;
  media_ms: number;
  first_used_on: number;
  last_used_on: number;
}

/** Sums of what viewers reported. See viewing-sums.ts. */
export interface ViewingSumsColumns extends Record<`first_${number}`, number> {
  played_ms: number;
  frozen_ms: number;
  freezes: number;
  packets: number;
  lost: number;
  round_trip_ms: number;
  round_trips: number;
  height: number;
  heights: number;
}

/** The sums of a stream in five minutes, by one run of a server. */
export interface ViewingSlotTable extends ViewingSumsColumns {
  account_id: string;
  stream_name: string;
  /** Five minutes, counted since 1970. */
  slot: number;
  server_id: string;
  viewers: number;
  frozen_viewers: number;
  /** 1: the server was overloaded at some time. */
  overloaded: number;
}

export interface ViewingHourTable extends ViewingSumsColumns {
  account_id: string;
  stream_name: string;
  hour: number;
}

/** Sums of sessions and of what viewers reported. */
export interface StatisticsTables {
  session_hour: SessionHourTable;
  hour_to_roll_up: HourToRollUpTable;
  stream_hour: StreamHourTable;
  token_hour: TokenHourTable;
  viewing_slot: ViewingSlotTable;
  viewing_hour: ViewingHourTable;
}
