import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { HmacSha256 } from './hmac-sha256.js';

/** The address of a file changes once in this time, in seconds. All viewers who are given it in between share it. */
const KEY_PERIOD_S = 120;

/** For a player that was given an address in the last moment: to fetch the file, and to try again. In seconds. */
const FETCH_S = 60;

/** 132 bits. */
const KEY_LENGTH = 22;

/** A file of a recording at an address that all viewers share. */
export interface SharedFile {
  readonly recordingId: string;
  /** Counted since 1970. */
  readonly period: number;
  readonly file: string;
}

export type SegmentKeyCheck =
  | {
      readonly ok: true;
      /** In ms since 1970. */
      readonly expiresAt: number;
    }
  | { readonly ok: false; readonly code: 'grant_invalid' | 'grant_expired' };

/** @param time in ms since 1970 */
export function keyPeriod(time: number): number {
  return Math.floor(time / (KEY_PERIOD_S * 1_000));
}

/** Whether playlists name files with keys of the period: while it lasts, and during the next one. */
export function isListed(period: number, now: number): boolean {
  const current = keyPeriod(now);
  return period === current || period === current - 1;
}

/** In ms since 1970: at most five minutes after the period began. */
export function keyPeriodExpiresAt(period: number): number {
  return ((period + 2) * KEY_PERIOD_S + FETCH_S) * 1_000;
}

/**
 * Keys in the addresses of files that a CDN keeps. Every file has its own key, so a viewer who is given no more addresses
 * cannot guess those of other files. A key names no viewer: everybody who has the address can fetch the file until the key
 * expires.
 */
export class SegmentKeys {
  readonly #hmac: HmacSha256;

  constructor(grantKey: KeyObject) {
    this.#hmac = new HmacSha256(createSecretKey(createHmac('sha256', grantKey).update('segments').digest()));
  }

  /** @returns 22 characters of base64url */
  keyOf({ recordingId, period, file }: SharedFile): string {
    return this.#hmac.sign(`${recordingId} ${period} ${file}`).slice(0, KEY_LENGTH);
  }

  /** @param now milliseconds since 1970 */
  check(shared: SharedFile, key: string, now: number): SegmentKeyCheck {
    const given = Buffer.from(key);
    const expected = Buffer.from(this.keyOf(shared));
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return { ok: false, code: 'grant_invalid' };
    const expiresAt = keyPeriodExpiresAt(shared.period);
    return now < expiresAt ? { ok: true, expiresAt } : { ok: false, code: 'grant_expired' };
  }
}
