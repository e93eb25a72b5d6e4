import type { TokenBody } from '../../../wire/management/token.js';
import { titleOf } from '../home/token-view.js';
import { countryName, dateTimeText } from '../formatting.js';
import type { DashboardMessages } from '../messages/dashboard-messages.js';
import type { PageTexts } from '../page-context.js';
import type { TokensMessages } from './messages/tokens-messages.js';
import type { TokenField } from './token-draft.js';

export type TokenTexts = PageTexts<TokensMessages>;

/** One property of a token. */
export interface TokenFact {
  /** The field of the form for it. Absent: it is not chosen. */
  readonly field?: TokenField;
  readonly name: string;
  readonly values: readonly string[];
  /** Whether the values are addresses or patterns, which are written from left to right in every language. */
  readonly isCode?: boolean;
}

/** The label of a token, or else its streams. */
export const nameOf = (token: TokenBody, common: DashboardMessages): string => token.label || titleOf(token, common);

/** What a token permits, in the order in which people ask. */
export function tokenFacts(token: TokenBody, { messages, common, language }: TokenTexts): readonly TokenFact[] {
  const time = (date: string): string => dateTimeText(date, language);
  const or = (values: readonly string[], instead: string): Pick<TokenFact, 'values' | 'isCode'> =>
    values.length > 0 ? { values, isCode: true } : { values: [instead] };
  const countries = (codes: readonly string[], instead: string): readonly string[] =>
    codes.length > 0 ? codes.map((code) => countryName(code, language)) : [instead];
  const bindings = (): TokenFact[] => [
    {
      field: 'addresses',
      name: messages.addresses,
      values: [messages.firstAddresses(token.bindIpsOnUsage.toLocaleString(language))],
    },
    {
      name: messages.boundAddresses,
      ...or(
        token.boundIps.map(({ address }) => address),
        messages.noneBound,
      ),
    },
  ];
  const facts: (TokenFact | false)[] = [
    { field: 'streams', name: messages.streams, values: streamNames(token, common) },
    { field: 'origins', name: messages.websites, ...or(token.allowedOrigins, messages.everyWebsite) },
    ...(token.bindIpsOnUsage > 0
      ? bindings()
      : [
          {
            field: 'addresses' as const,
            name: messages.addresses,
            ...or(token.allowedIpAddresses, messages.everyAddress),
          },
        ]),
    { field: 'deniedAddresses', name: messages.deniedAddresses, ...or(token.deniedIpAddresses, messages.noAddress) },
    {
      field: 'allowedCountries',
      name: messages.allowedCountries,
      values: countries(token.allowedCountries, messages.everyCountry),
    },
    {
      field: 'deniedCountries',
      name: messages.deniedCountries,
      values: countries(token.deniedCountries, messages.noCountry),
    },
    token.maxSessions !== undefined && {
      field: 'places',
      name: messages.atOnce,
      values: [placesOf(token, messages, language)],
    },
    token.subscribeRequiresAuth !== undefined && {
      field: 'viewers',
      name: messages.viewers,
      values: [token.subscribeRequiresAuth ? common.needsToken : messages.everybodyWatches],
    },
    token.record !== undefined && {
      field: 'recording',
      name: messages.recording,
      values: recordingOf(token, messages, language),
    },
    {
      field: 'expiry',
      name: messages.expiresOn,
      values: [token.expiresOn ? time(token.expiresOn) : common.neverExpires],
    },
    { name: messages.createdOn, values: [time(token.addedOn)] },
    { name: messages.number, values: [String(token.id)] },
  ];
  return facts.filter((fact) => fact !== false);
}

function streamNames({ streams }: TokenBody, common: DashboardMessages): readonly string[] {
  if (streams.length === 0) return [common.permitsNone];
  return streams.map(({ streamName, isRegex }) => (isRegex ? common.matching(streamName) : streamName));
}

function recordingOf({ record, recordingRetentionDays: days }: TokenBody, messages: TokensMessages, language: string) {
  const recorded = record ? messages.record : messages.notRecorded;
  return days ? [recorded, messages.deletedAfter(days, days.toLocaleString(language))] : [recorded];
}

function placesOf({ maxSessions, whenFull }: TokenBody, messages: TokensMessages, language: string): string {
  if (!maxSessions) return messages.anyNumber;
  const count = maxSessions.toLocaleString(language);
  return (whenFull === 'displace' ? messages.upToDisplace : messages.upToRefuse)(maxSessions, count);
}
