// Generated from en.json by `npm run generate`. Do not edit.

/** The texts of the button and of the live region. */
export interface CopyMessages {
  readonly copy: string;
  readonly copied: string;
  readonly copyThis: (label: string) => string;
  readonly copiedThis: (label: string) => string;
}
