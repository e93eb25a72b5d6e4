// Generated from en.json by `npm run generate`. Do not edit.

/** The texts of the page for the look of the hosted pages. Numbers arrive formatted for the language. */
export interface AppearanceMessages {
  readonly appearance: string;
  readonly purpose: string;
  readonly name: string;
  readonly nameHint: string;
  readonly colors: {
    readonly accent: string;
    readonly background: string;
  };
  readonly colorHints: {
    readonly accent: string;
    readonly background: string;
  };
  readonly choose: (field: string) => string;
  readonly notAColor: string;
  /** @param nearest a colour, as `#e5484d` */
  readonly tooPale: (found: string, needed: string, nearest: string) => string;
  readonly save: string;
  readonly saved: string;
  readonly reset: string;
  readonly wasReset: string;
  readonly logo: string;
  readonly logoHint: string;
  readonly noLogo: string;
  readonly addLogo: string;
  readonly replaceLogo: string;
  readonly removeLogo: string;
  readonly unreadableLogo: string;
  readonly preview: string;
  readonly sampleText: string;
  readonly sampleBadge: string;
  readonly sampleButton: string;
}
