/** How long a Janus may take, in milliseconds. An input, so that tests need not wait for them. */
export interface JanusTimes {
  /** Each answer is a sign of life. Janus ends a session after 60 s without a keepalive (`session_timeout`). */
  readonly keepaliveEvery: number;
  readonly answerWithin: number;
  /** Viewers see a still picture for no longer than this after Janus was killed. Then their sessions end. */
  readonly reclaimWithin: number;
  /** A connection that breaks, and is there again within this time, is no problem: the media goes on meanwhile. */
  readonly awayAfter: number;
  /** An edge that did not answer for a moment must not leave its viewers without the picture for a whole broadcast. */
  readonly showAgainAfter: number;
}

export const JANUS_TIMES: JanusTimes = {
  keepaliveEvery: 2_000,
  answerWithin: 10_000,
  reclaimWithin: 5_000,
  awayAfter: 5_000,
  showAgainAfter: 3_000,
};
