// Generated from en.json by `npm run generate`. Do not edit.

/** The texts of the viewer page if its URL has no stream. */
export interface NoticeMessages {
  readonly title: string;
  /** The form of the address follows. */
  readonly missing: string;
  readonly next: string;
}
