// Generated from en.json by `npm run generate`. Do not edit.
import type { PageGroup } from '../routes.js';
import type { PageName } from '../routes.js';
import type { CopyMessages } from '../../messages/copy-messages.js';

/** The texts of the dashboard. Dates and numbers arrive formatted for the language. */
export interface DashboardMessages {
  readonly page: string;
  /** The name of each page in the navigation. */
  readonly pages: Readonly<Record<PageName, string>>;
  /** What belongs together in the navigation. */
  readonly groups: Readonly<Record<PageGroup, string>>;
  /** A link that keyboards reach first. */
  readonly skip: string;
  readonly pageNotFound: string;
  readonly pageNotLoaded: string;
  readonly sessionEnded: string;
  readonly textIsKept: string;
  readonly continue: string;
  readonly language: string;
  readonly loading: string;
  readonly logIn: string;
  readonly linkUsed: string;
  readonly howToLogIn: string;
  readonly logInWithPasskey: string;
  readonly withoutPasskey: string;
  readonly passkeyCancelled: string;
  readonly passkeyExists: string;
  readonly passkeyFailed: string;
  readonly passkeyUnknown: string;
  readonly logInWithPassword: string;
  readonly loginName: string;
  readonly password: string;
  readonly code: string;
  readonly passwordWrong: string;
  readonly tooManyAttempts: string;
  readonly loggedOut: string;
  readonly notLoaded: string;
  readonly tryAgain: string;
  readonly logOut: string;
  readonly goLive: string;
  readonly streamName: string;
  readonly opensBroadcaster: string;
  readonly publishTokens: string;
  readonly noTokens: string;
  readonly needsToken: string;
  readonly created: (date: string) => string;
  readonly expires: (date: string) => string;
  /** A name that somebody gave, in the middle of a sentence. */
  readonly quoted: (text: string) => string;
  readonly neverExpires: string;
  readonly broadcast: string;
  readonly broadcastThis: (name: string) => string;
  readonly viewerLink: string;
  readonly viewerLinkFor: (name: string) => string;
  readonly embed: string;
  readonly embedThis: (name: string) => string;
  readonly delete: string;
  readonly deleteToken: (title: string) => string;
  readonly deleteQuestion: (title: string) => string;
  readonly deleteEffect: string;
  readonly cancel: string;
  readonly done: string;
  readonly open: string;
  readonly linkEffect: string;
  readonly howLong: string;
  readonly createLink: string;
  readonly anotherLink: string;
  readonly pagesOfList: string;
  readonly newer: string;
  readonly older: string;
  readonly pageOf: (page: string, pages: string, total: string) => string;
  readonly permitsNone: string;
  readonly matching: (pattern: string) => string;
  readonly active: string;
  readonly disabled: string;
  /** Of a token or a scheduled stream, with what to do. */
  readonly unreadable: string;
  readonly expired: string;
  /** Names `TOKEN_PLACE`. */
  readonly privateEmbed: string;
  readonly tag: string;
  readonly iframe: string;
  readonly pinnedTag: string;
  readonly pinnedEffect: string;
  readonly noPermission: string;
  /** Instead of a page. */
  readonly onlyOwners: string;
  /** Instead of a page. */
  readonly onlyManagers: string;
  /** Answer to a change, for example after somebody has changed the role. */
  readonly notPermitted: string;
  readonly unreachable: string;
  readonly unexpected: string;
  readonly downloadCsv: string;
  /** What was watched lately. Durations and numbers arrive formatted for the language. */
  readonly results: {
    readonly title: string;
    readonly onAir: (duration: string) => string;
    readonly viewers: (count: string) => string;
    readonly watched: (duration: string) => string;
    readonly frozen: (part: string) => string;
    readonly all: string;
  };
  /** For somebody who cannot log in again by themselves. */
  readonly wayBack: {
    readonly title: string;
    readonly text: string;
    readonly addPasskey: string;
    readonly setPassword: string;
  };
  /** What the server says of itself, to those who manage the account. */
  readonly serverReports: {
    readonly title: string;
    /** A link to a page that says it. */
    readonly whatToDo: string;
  };
  readonly copy: CopyMessages;
}
