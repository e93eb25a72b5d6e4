/** A figure that a size is computed from. */
export interface Cost {
  readonly value: number;
  /** What it is, with its unit. */
  readonly what: string;
  /** `measured`: by a benchmark of this repository, to be repeated on your machine. `chosen`: another stream has another. */
  readonly kind: 'measured' | 'estimated' | 'chosen';
  readonly source: string;
  /** When it was measured or chosen. */
  readonly date: string;
}

/** On two cores with nothing else to do. */
const measured = (value: number, what: string, source: string): Cost => {
  return { value, what, kind: 'measured', source, date: '2026-11-25' };
};
const estimated = (value: number, what: string, source: string): Cost => {
  return { value, what, kind: 'estimated', source, date: '2026-11-24' };
};
const chosen = (value: number, what: string, source: string): Cost => ({
  ...estimated(value, what, source),
  kind: 'chosen',
});

/** The input of `npm run simulate -- crowd`. Put figures of your own machine here. */
export const crowdCosts = {
  packetMicros: measured(
    12.5,
    'µs of CPU time for each packet to a viewer',
    '`workers`: 100 viewers in another process than their publisher',
  ),
  callMicros: measured(58.7, 'µs of CPU time for a call of the director', '`viewer-call`'),
  playlistMicros: measured(127, 'µs of CPU time for a playlist of a live viewer', '`playlists`'),
  relayedPackets: {
    ...estimated(5, 'packets of a server to another one cost as much as those to so many viewers', 'decision 38'),
    date: '2026-11-27',
  },
  streamKbps: chosen(1_500, 'kbit/s of video', '720p'),
  packetBytes: chosen(1_100, 'bytes of video in a packet', 'browsers'),
  soundPackets: chosen(50, 'packets of sound a second', 'Opus, 20 ms each'),
  busy: chosen(0.7, 'of a core or a network may be busy', 'above it, packets wait'),
  cores: chosen(8, 'cores of a server, one of them for calls and websockets', 'a common size'),
  networkMbps: chosen(10_000, 'Mbit/s of the network of a server', 'a common size'),
  joinSeconds: chosen(60, 'seconds in which all viewers come', 'an announced beginning'),
  playlistSeconds: chosen(4, 'seconds between two playlists of a player', 'segments of four seconds'),
  cdnLocations: chosen(200, 'locations of the CDN that fetch each segment', 'a large CDN'),
} as const satisfies Readonly<Record<string, Cost>>;

export type CrowdCosts = { readonly [Name in keyof typeof crowdCosts]: Cost };
