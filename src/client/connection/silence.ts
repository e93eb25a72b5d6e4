import { UnreachableError, type StreamError } from '../errors.js';
import type { SignallingConnection } from './signalling.js';

const LOOK_EVERY_MS = 2_000;
/** Looks without media after which the server is asked. */
export const ASKS_AFTER = 1;
/** And those after which it is lost if it has not answered: some nine seconds after the last media. */
export const GIVES_UP_AFTER = 4;
/** Looks until it is asked again after an answer, if no media comes: the stream is muted, or has not begun. */
const RARELY = 15;

/**
 * How long nothing came from a server. It is counted in looks and not in time: while the computer sleeps, or the browser
 * slows the timers of a hidden page, there are fewer looks.
 */
export interface Silence {
  /** What `mediaSigns` was at the last look. */
  readonly media: number;
  /** The looks in a row without media. Negative: the server has answered, and has time. */
  readonly quiet: number;
}

/** @param media see `mediaSigns` */
export function afterLook(before: Silence, media: number): Silence {
  return { media, quiet: media === before.media ? before.quiet + 1 : 0 };
}

export function afterAnswer(before: Silence): Silence {
  return { ...before, quiet: before.quiet > 0 ? -RARELY : before.quiet };
}

/** A member of an RTCStatsReport, as far as it is read here. */
interface MediaStats {
  readonly type: string;
  readonly timestamp: number;
  readonly packetsReceived: number;
}

/**
 * A number that is another one when media has come: to a viewer as packets, to a broadcaster as the report that the
 * server has received some (RTCP).
 */
export function mediaSigns(report: Pick<RTCStatsReport, 'values'>): number {
  let signs = 0;
  for (const { type, timestamp, packetsReceived } of report.values() as Iterable<MediaStats>) {
    if (type === 'inbound-rtp') signs += packetsReceived;
    if (type === 'remote-inbound-rtp') signs += timestamp;
  }
  return signs;
}

/**
 * Ends a session whose server has fallen silent: no media comes, and the websocket, which stays open, brings no answer.
 * An error is an answer too.
 */
export async function watchSilence(
  peer: { getStats(): Promise<Pick<RTCStatsReport, 'values'>> },
  { command }: SignallingConnection,
  signal: AbortSignal,
  end: (error: StreamError) => void,
): Promise<void> {
  let silence: Silence = { media: 0, quiet: 0 };
  const ask = () =>
    command('ping', {})
      .catch(() => {})
      .then(() => (silence = afterAnswer(silence)));
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (signal.aborted) return;
    silence = afterLook(silence, mediaSigns(await peer.getStats()));
    if (silence.quiet === ASKS_AFTER) void ask();
    if (silence.quiet === GIVES_UP_AFTER) end(new UnreachableError('The server does not answer'));
  }
}
