import type { SessionEventName } from '../../src/wire/management/session.js';
import { EMPTY_TIMELINE, withEvent, type SessionTimeline } from './session-timeline.js';
import {
  countersBy,
  growthBetween,
  isGrowth,
  withReport,
  type ReportedGrowth,
  type ReportedPresent,
  type ViewingQuality,
} from './viewing-quality.js';

/** An open session that no server has written for this time was lost with its server. In milliseconds. */
export const LOST_AFTER_MS = 180_000;

/** What does not change while a session lasts. */
export interface SessionOrigin {
  /** The id of the first session. */
  readonly id: string;
  readonly accountId: string;
  readonly streamName: string;
  readonly role: 'publisher' | 'viewer';
  readonly protocol: 'websocket' | 'whip' | 'whep' | 'rtmp';
  readonly tokenId: number | null;
  /** Empty: unknown. Of IPv6: the network with a prefix of 64 bits. */
  readonly address: string;
  readonly origin: string | null;
}

/** A session as it is stored. Times are milliseconds since 1970. */
export interface StoredSession extends SessionOrigin {
  readonly openedOn: number;
  readonly connectedOn: number | null;
  readonly firstMediaOn: number | null;
  readonly seenOn: number;
  readonly endedOn: number | null;
  /** Set if `endedOn` is. */
  readonly reason: string | null;
  /** How long media of the live stream reached the viewer, or came from the publisher. */
  readonly mediaMs: number;
  readonly reconnects: number;
  readonly timeline: SessionTimeline;
  /** What the client of a viewer reported. Null: nothing. */
  readonly quality: ViewingQuality | null;
}

interface OpenSession {
  readonly openedOn: number;
  /** The counters by the newest report. */
  counters: ReportedGrowth | undefined;
}

/** What a report adds. */
export interface NewlyReported extends ReportedGrowth {
  /** Undefined: it is known already, or not at all. */
  readonly firstPictureMs: number | undefined;
}

/** Collects what happens in one session and in those that resume it. Keeps no time of its own. */
export class SessionRecord {
  readonly #origin: SessionOrigin;
  readonly #openedOn: number;
  #connectedOn: number | null = null;
  #firstMediaOn: number | null = null;
  #hasConnected = false;
  #end: { readonly time: number; readonly code: string } | undefined;
  #mediaMs = 0;
  /** Media reaches the viewer, or comes from the publisher, since this time. */
  #mediaSince: number | undefined;
  #live: boolean;
  #reconnects = 0;
  #timeline = EMPTY_TIMELINE;
  #quality: ViewingQuality | null = null;
  /** The stream was live when the viewer opened: only then is the time to the first picture the server's. */
  readonly #openedLive: boolean;
  /** The sessions that are open: more than one while a client moves to a new connection. */
  readonly #open = new Map<string, OpenSession>();
  /** The open sessions whose connection carries media. */
  readonly #carrying = new Set<string>();

  constructor(origin: SessionOrigin, { time, live }: { readonly time: number; readonly live: boolean }) {
    this.#origin = origin;
    this.#openedOn = time;
    this.#live = live;
    this.#openedLive = live;
    this.#open.set(origin.id, { openedOn: time, counters: undefined });
    this.#add(time, 'opened');
  }

  get origin(): SessionOrigin {
    return this.#origin;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Whether media has reached the other side at some time. An answer alone proves nothing. */
  get hasConnected(): boolean {
    return this.#hasConnected;
  }

  /** The ids of the sessions that are open: the first one, or those that resumed it. */
  get openSessions(): readonly string[] {
    return [...this.#open.keys()];
  }

  connected(sessionId: string, time: number): void {
    this.#connectedOn ??= time;
    this.#add(time, 'media_connected');
    // Of a viewer the engine reports whether media arrives. A publisher sends while it is connected.
    if (this.#origin.role === 'publisher') this.#carries(sessionId);
    this.#count(time);
  }

  reachable(sessionId: string, reachable: boolean, time: number): void {
    if (this.#carrying.has(sessionId) === reachable) return;
    const before = this.#carrying.size > 0;
    if (reachable) this.#carries(sessionId);
    else this.#carrying.delete(sessionId);
    const after = this.#carrying.size > 0;
    if (before !== after) this.#add(time, after ? 'reachable' : 'unreachable');
    this.#count(time);
  }

  streamLive(live: boolean, time: number): void {
    if (this.#live === live) return;
    this.#live = live;
    this.#add(time, live ? 'stream_live' : 'stream_ended');
    this.#count(time);
  }

  /** The server has too much to do for what the publisher sends, or no longer. */
  serverOverloaded(isOverloaded: boolean, time: number): void {
    this.#add(time, isOverloaded ? 'server_overloaded' : 'server_relieved');
  }

  /** The client continues in another session. @param live whether the stream is live now */
  resumed(sessionId: string, { time, live }: { readonly time: number; readonly live: boolean }): void {
    this.#end = undefined;
    this.#open.set(sessionId, { openedOn: time, counters: undefined });
    this.#reconnects += 1;
    this.#add(time, 'resumed');
    this.streamLive(live, time);
  }

  ended(sessionId: string, code: string, time: number): void {
    this.#open.delete(sessionId);
    this.#carrying.delete(sessionId);
    this.#count(time);
    if (this.isOpen) return;
    this.#end = { time, code };
    this.#add(time, 'ended');
  }

  /**
   * What the client of a viewer reports.
   * @returns what has to be counted; undefined: nothing new
   */
  reported(
    sessionId: string,
    { device, report }: Omit<ReportedPresent, 'firstPictureMs'>,
    time: number,
  ): NewlyReported | undefined {
    const session = this.#open.get(sessionId);
    if (!session) return undefined;
    const counters = countersBy(report, time - session.openedOn, session.counters);
    const growth = growthBetween(session.counters, counters);
    const known = this.#quality?.firstPictureMs ?? undefined;
    const firstPictureMs = known === undefined && this.#openedLive ? report.first : undefined;
    session.counters = counters;
    this.#quality = withReport(this.#quality, growth, { device, firstPictureMs, report });
    if (firstPictureMs !== undefined) this.#add(time, 'first_picture');
    if (growth.freezes > 0) this.#add(time, 'picture_froze');
    return isGrowth(growth) || firstPictureMs !== undefined ? { ...growth, firstPictureMs } : undefined;
  }

  /** The present state, to be stored. */
  storedAt(time: number): StoredSession {
    const end = this.#end;
    return {
      ...this.#origin,
      openedOn: this.#openedOn,
      connectedOn: this.#connectedOn,
      firstMediaOn: this.#firstMediaOn,
      seenOn: end?.time ?? time,
      endedOn: end?.time ?? null,
      reason: end?.code ?? null,
      mediaMs: this.#mediaMs + this.#sinceCounted(time),
      reconnects: this.#reconnects,
      timeline: this.#timeline,
      quality: this.#quality,
    };
  }

  #carries(sessionId: string): void {
    this.#hasConnected = true;
    this.#carrying.add(sessionId);
  }

  #count(time: number): void {
    const hasMedia = this.#live && this.#carrying.size > 0;
    this.#mediaMs += this.#sinceCounted(time);
    this.#mediaSince = hasMedia ? time : undefined;
    if (hasMedia) this.#firstMediaOn ??= time;
  }

  /** A clock that was set back counts as no time. */
  #sinceCounted(time: number): number {
    return this.#mediaSince === undefined ? 0 : Math.max(0, time - this.#mediaSince);
  }

  #add(time: number, name: SessionEventName): void {
    this.#timeline = withEvent(this.#timeline, { time, name });
  }
}
