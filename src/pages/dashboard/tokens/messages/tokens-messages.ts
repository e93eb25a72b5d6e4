import type { TokenKind } from '../token-kind.js';
import type { TokenSort } from '../tokens-state.js';

type OfKind = Readonly<Record<TokenKind, string>>;

/** The texts of the page of tokens. Dates and numbers arrive formatted for the language. */
export interface TokensMessages {
  readonly tokens: string;
  readonly purpose: string;
  readonly kind: string;
  readonly kinds: OfKind;
  readonly search: string;
  readonly searchHint: string;
  readonly sort: string;
  readonly sorts: Readonly<Record<TokenSort, string>>;
  readonly find: string;
  readonly none: OfKind;
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
  readonly disableEffect: OfKind;
  readonly disabled: (title: string) => string;
  readonly refresh: string;
  readonly refreshThis: (title: string) => string;
  readonly refreshQuestion: (title: string) => string;
  readonly refreshEffect: OfKind;
  readonly deleteEffect: OfKind;
  readonly deleted: (title: string) => string;
  readonly liveNow: (streams: string) => string;
  /** The names of the facts about a token. */
  readonly number: string;
  readonly streams: string;
  readonly websites: string;
  readonly addresses: string;
  readonly boundAddresses: string;
  readonly allowedCountries: string;
  readonly deniedCountries: string;
  readonly atOnce: string;
  readonly viewers: string;
  readonly createdOn: string;
  readonly expiresOn: string;
  /** Their values. */
  readonly everyWebsite: string;
  readonly everyAddress: string;
  readonly everyCountry: string;
  readonly noCountry: string;
  readonly firstAddresses: (count: string) => string;
  readonly noneBound: string;
  readonly anyNumber: string;
  readonly upToRefuse: (count: string) => string;
  readonly upToDisplace: (count: string) => string;
  readonly everybodyWatches: string;
  readonly value: string;
  readonly valueEffect: OfKind;
  readonly streamToUse: string;
  readonly streamToUseHint: string;
  readonly broadcasterLink: string;
  readonly broadcasterLinkEffect: string;
  readonly whip: string;
  readonly whipEffect: string;
  readonly whep: string;
  readonly qrCode: OfKind;
  readonly embedWithToken: string;
}
