// Generated from en.json by `npm run generate`. Do not edit.
import type { BulkAction } from '../../../../wire/management/token-bulk.js';
import type { TokenKind } from '../token-kind.js';
import type { DurationUnit } from '../token-draft.js';
import type { TokenDraft } from '../token-draft.js';
import type { TokenField } from '../token-draft.js';
import type { TokenSort } from '../tokens-state.js';

/** The texts of the page of tokens. Dates and numbers arrive formatted for the language. */
export interface TokensMessages {
  readonly tokens: string;
  readonly purpose: string;
  readonly kind: string;
  readonly kinds: Readonly<Record<TokenKind, string>>;
  readonly search: string;
  readonly searchHint: string;
  readonly state: string;
  readonly anyState: string;
  readonly sort: string;
  readonly sorts: Readonly<Record<TokenSort, string>>;
  readonly none: Readonly<Record<TokenKind, string>>;
  readonly noneFound: string;
  readonly previous: string;
  readonly next: string;
  readonly details: string;
  readonly detailsOf: (title: string) => string;
  readonly use: string;
  readonly useOf: (title: string) => string;
  readonly enable: string;
  readonly enableThis: (title: string) => string;
  readonly enabled: (title: string) => string;
  readonly disable: string;
  readonly disableThis: (title: string) => string;
  readonly disableQuestion: (title: string) => string;
  readonly disableEffect: Readonly<Record<TokenKind, string>>;
  readonly disabled: (title: string) => string;
  readonly refresh: string;
  readonly refreshThis: (title: string) => string;
  readonly refreshQuestion: (title: string) => string;
  readonly refreshEffect: Readonly<Record<TokenKind, string>>;
  readonly deleteEffect: Readonly<Record<TokenKind, string>>;
  readonly deleted: (title: string) => string;
  readonly selectThis: (title: string) => string;
  readonly selectPage: string;
  readonly selectMatching: (count: string) => string;
  readonly selectFirst: (count: string) => string;
  readonly selectNone: string;
  readonly selected: (count: string) => string;
  readonly severalQuestion: Readonly<Record<'disable' | 'delete', (count: string) => string>>;
  readonly severalEffect: Readonly<Record<'disable' | 'delete', Readonly<Record<TokenKind, string>>>>;
  /** Broadcasts or viewers, of one token or of several. */
  readonly connectedNow: Readonly<Record<TokenKind, (count: string) => string>>;
  readonly severalDone: Readonly<Record<BulkAction, (count: string) => string>>;
  readonly severalFailed: (count: string) => string;
  readonly liveNow: (streams: string) => string;
  /** The names of the facts about a token. */
  readonly number: string;
  readonly streams: string;
  readonly websites: string;
  readonly addresses: string;
  readonly boundAddresses: string;
  readonly deniedAddresses: string;
  readonly allowedCountries: string;
  readonly deniedCountries: string;
  readonly atOnce: string;
  /** Name of the fact whether the token records. */
  readonly recording: string;
  /** The token records. */
  readonly record: string;
  /** In the list: what is published with the token is recorded. */
  readonly recorded: string;
  readonly notRecorded: string;
  /** After so many days, for its recordings. */
  readonly deletedAfter: (days: number, shownDays: string) => string;
  /** Label of the number of days after which recordings are deleted. */
  readonly retentionDays: string;
  readonly viewers: string;
  readonly createdOn: string;
  readonly expiresOn: string;
  /** Their values. */
  readonly everyWebsite: string;
  readonly everyAddress: string;
  readonly noAddress: string;
  readonly everyCountry: string;
  readonly noCountry: string;
  readonly firstAddresses: (count: string) => string;
  readonly noneBound: string;
  readonly anyNumber: string;
  readonly upToRefuse: (count: number, shownCount: string) => string;
  readonly upToDisplace: (count: number, shownCount: string) => string;
  readonly everybodyWatches: string;
  readonly value: string;
  readonly valueEffect: Readonly<Record<TokenKind, string>>;
  readonly streamToUse: string;
  readonly streamToUseHint: string;
  readonly broadcasterLink: string;
  readonly broadcasterLinkEffect: string;
  readonly whip: string;
  readonly whipEffect: string;
  readonly rtmpServer: string;
  readonly rtmpKey: string;
  readonly rtmpEffect: string;
  readonly whep: string;
  readonly qrCode: Readonly<Record<TokenKind, string>>;
  readonly embedWithToken: string;
  readonly newToken: Readonly<Record<TokenKind, string>>;
  readonly edit: string;
  readonly editThis: (title: string) => string;
  readonly create: string;
  readonly save: string;
  readonly created: (title: string) => string;
  readonly saved: (title: string) => string;
  readonly label: string;
  readonly names: string;
  readonly patterns: string;
  readonly addressList: string;
  readonly addressRules: Readonly<Record<TokenDraft['addressRule'], string>>;
  readonly bindCount: string;
  readonly expiryKept: (expiry: string) => string;
  readonly expiryChoices: Readonly<Record<Exclude<TokenDraft['expiry'], 'keep'>, string>>;
  readonly expiryDate: string;
  readonly duration: string;
  readonly unit: string;
  readonly units: Readonly<Record<DurationUnit, string>>;
  readonly maxSessions: string;
  readonly whenFull: string;
  readonly whenFullChoices: Readonly<Record<TokenDraft['whenFull'], string>>;
  /** A sentence for each field that explains its rule. */
  readonly hints: Readonly<Record<TokenField, string>>;
  /** A sentence for each field that says what it may contain, beside an entry that it may not. */
  readonly faults: Readonly<Record<TokenField, string>>;
  readonly conflict: string;
  readonly merged: string;
  readonly theirs: string;
  readonly useTheirs: string;
  readonly trial: string;
  readonly trialThis: (title: string) => string;
  readonly trialOf: (title: string) => string;
  readonly trialWebsite: string;
  readonly trialAddress: string;
  readonly trialHint: string;
  readonly trialAsk: string;
  readonly wouldAdmit: Readonly<Record<TokenKind, string>>;
  readonly wouldRefuse: string;
  readonly continued: string;
  readonly importFile: string;
  readonly importTitle: Readonly<Record<TokenKind, string>>;
  readonly importHint: string;
  readonly chooseFile: string;
  readonly chooseOtherFile: string;
  readonly orDrop: string;
  readonly checkingFile: (name: string) => string;
  readonly fileIsGood: (name: string, count: string) => string;
  readonly fileHasFaults: (name: string) => string;
  readonly line: (number: string) => string;
  readonly fileTooLarge: string;
  readonly importCount: (count: string) => string;
  readonly imported: (count: string) => string;
  /** Above the rules that few tokens have. Their names follow. */
  readonly moreRules: string;
  /** Which fields have to be corrected. */
  readonly notSaved: (fields: string) => string;
  readonly permitsNothing: string;
  readonly permitsNothingEffect: string;
  readonly saveAnyway: string;
  readonly saveLinks: string;
  /** What the file of links contains. */
  readonly linksEffect: string;
}
