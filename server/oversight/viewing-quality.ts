import type { ViewerReport } from '../../src/wire/websocket/viewer-report.js';
import type { DeviceClass } from '../../src/wire/management/session.js';

/** What the client of a viewer reported in a record of sessions. Sums are of all its sessions. */
export interface ViewingQuality {
  readonly device: DeviceClass;
  /** From the start of the viewer to the first picture. Null: not reported. */
  readonly firstPictureMs: number | null;
  /** Null: not reported; so for the next two. */
  readonly playedMs: number | null;
  readonly freezes: number | null;
  readonly frozenMs: number | null;
  readonly packets: number;
  readonly lost: number;
  /** Of the newest report. Null: not reported. */
  readonly height: number | null;
  readonly framesPerSecond: number | null;
  readonly roundTripMs: number | null;
}

/** By how much the counters of one session grew with a report. */
export interface ReportedGrowth {
  readonly playedMs: number;
  readonly freezes: number;
  readonly frozenMs: number;
  readonly packets: number;
  readonly lost: number;
}

const NOTHING: ReportedGrowth = { playedMs: 0, freezes: 0, frozenMs: 0, packets: 0, lost: 0 };

/** A report may describe a little more time than has passed here, because it took its way at another speed. */
const TOLERANCE_MS = 1_000;
/** Browsers count a freeze when a picture is late by 150 ms or more. */
const SHORTEST_FREEZE_MS = 150;
/** 500 Mbit/s in packets of 1,250 bytes. */
const MOST_PACKETS_PER_MS = 50;

/**
 * The counters of a session by a report, and never more than can have happened.
 * @param before the counters by the report before; a counter that fell keeps this value
 * @param openMs how long the session has been open
 */
export function countersBy(report: ViewerReport, openMs: number, before: ReportedGrowth = NOTHING): ReportedGrowth {
  const mostMs = Math.max(0, openMs) + TOLERANCE_MS;
  const grown = (name: keyof ReportedGrowth, value: number | undefined, most: number): number =>
    Math.max(before[name], Math.min(Math.round(value ?? 0), Math.floor(most)));
  return {
    playedMs: grown('playedMs', report.played, mostMs),
    freezes: grown('freezes', report.freezes, mostMs / SHORTEST_FREEZE_MS),
    frozenMs: grown('frozenMs', report.frozen === undefined ? undefined : report.frozen * 1000, mostMs),
    packets: grown('packets', report.packets, mostMs * MOST_PACKETS_PER_MS),
    lost: grown('lost', report.lost, mostMs * MOST_PACKETS_PER_MS),
  };
}

export function growthBetween(before: ReportedGrowth = NOTHING, after: ReportedGrowth): ReportedGrowth {
  return {
    playedMs: after.playedMs - before.playedMs,
    freezes: after.freezes - before.freezes,
    frozenMs: after.frozenMs - before.frozenMs,
    packets: after.packets - before.packets,
    lost: after.lost - before.lost,
  };
}

export function isGrowth({ playedMs, freezes, frozenMs, packets, lost }: ReportedGrowth): boolean {
  return playedMs + freezes + frozenMs + packets + lost > 0;
}

/** Lost packets as a part of all, 0 to 1. Null: there were none. */
export function lossOf({ packets, lost }: Pick<ReportedGrowth, 'packets' | 'lost'>): number | null {
  return packets + lost > 0 ? lost / (packets + lost) : null;
}

/** What a report says of the present, apart from the counters. */
export interface ReportedPresent {
  readonly device: DeviceClass;
  /** Undefined: the report says nothing, or it does not count because the viewer waited for the stream. */
  readonly firstPictureMs: number | undefined;
  readonly report: ViewerReport;
}

/** The quality with one more report. */
export function withReport(
  quality: ViewingQuality | null,
  growth: ReportedGrowth,
  { device, firstPictureMs, report }: ReportedPresent,
): ViewingQuality {
  const { height, framesPerSecond, roundTrip, played, freezes, frozen } = report;
  return {
    device,
    firstPictureMs: quality?.firstPictureMs ?? firstPictureMs ?? null,
    playedMs: sumOf(quality?.playedMs, played, growth.playedMs),
    freezes: sumOf(quality?.freezes, freezes, growth.freezes),
    frozenMs: sumOf(quality?.frozenMs, frozen, growth.frozenMs),
    packets: (quality?.packets ?? 0) + growth.packets,
    lost: (quality?.lost ?? 0) + growth.lost,
    height: height === undefined ? (quality?.height ?? null) : Math.round(height),
    framesPerSecond: framesPerSecond === undefined ? (quality?.framesPerSecond ?? null) : Math.round(framesPerSecond),
    roundTripMs: roundTrip === undefined ? (quality?.roundTripMs ?? null) : Math.round(roundTrip * 1000),
  };
}

/** Null as long as nothing was reported. */
function sumOf(known: number | null = null, reported: number | undefined, growth: number): number | null {
  return known === null && reported === undefined ? null : (known ?? 0) + growth;
}
