import type { CommandOptions, OptionValues } from '../command.js';

/** The fields of a token, when it is created and when it is changed. */
export const tokenOptions: CommandOptions = {
  label: { value: 'TEXT', description: 'a label for people' },
  stream: { value: 'NAME', description: 'a stream name that the token permits', multiple: true },
  pattern: { value: 'REGEX', description: 'a pattern of stream names that the token permits', multiple: true },
  origin: { value: 'ORIGIN', description: "an allowed origin; '' allows every origin", multiple: true },
  ip: { value: 'ADDRESS', description: "an allowed IP address or range; '' allows every address", multiple: true },
  'denied-ip': {
    value: 'ADDRESS',
    description: "an IP address or range that may not use the token; '' denies none",
    multiple: true,
  },
  country: { value: 'CODE', description: "an allowed country, such as CH; '' allows every country", multiple: true },
  'denied-country': {
    value: 'CODE',
    description: "a country that may not use the token; '' denies none",
    multiple: true,
  },
  bind: { value: 'N', description: 'bind the first N IP addresses that use the token; 0: off' },
  'max-sessions': {
    value: 'N',
    description: 'how many may watch with the token at once; 0: no limit (subscribe tokens only)',
  },
  'when-full': {
    choices: ['refuse', 'displace'],
    description: 'refuse one more viewer, or disconnect the oldest one (subscribe tokens only)',
  },
  expires: { value: 'SECONDS|never', description: 'expires in so many seconds' },
  'requires-auth': {
    choices: ['true', 'false'],
    description: 'viewers of the stream need a token (publish tokens only)',
  },
  record: { choices: ['true', 'false'], description: 'record what is published (publish tokens only)' },
  'retention-days': {
    value: 'N|account',
    description: 'delete recordings after N days, or as the account has it (publish tokens only)',
  },
};

export const tokenChangeOptions: CommandOptions = {
  ...tokenOptions,
  'add-stream': { value: 'NAME', description: 'permit one more stream name', multiple: true },
  'add-pattern': { value: 'REGEX', description: 'permit one more pattern of stream names', multiple: true },
  'remove-stream': { value: 'NAME', description: 'remove a stream name or pattern', multiple: true },
  active: { choices: ['true', 'false'], description: 'enable or disable the token' },
  'if-match': { value: 'ETAG', description: 'change only this version: the etag that token show shows' },
  refresh: { choices: ['true', 'false'], description: 'true: give the token a new value' },
};

export const tokenListOptions: CommandOptions = {
  name: { value: 'NAME', description: 'only tokens with this label, or for this stream' },
  filter: {
    choices: ['None', 'TokenName', 'StreamName', 'TokenOrStreamName'],
    description: 'what --name is compared with',
  },
  search: {
    value: 'TEXT',
    description: 'only tokens with this text in the label or in a stream name, or whose id begins with these digits',
  },
  state: { choices: ['active', 'disabled', 'expired'], description: 'only tokens in this state' },
  sort: { choices: ['Name', 'AddedOn', 'ExpiresOn'], description: 'the order' },
  descending: { choices: ['true', 'false'], description: 'reverse the order' },
  page: { value: 'N', description: 'the page, from 1' },
  items: { value: 'N', description: 'tokens on a page, up to 100' },
};

/** The query of the API for these options. */
export function tokenListQueryFields(options: OptionValues): Record<string, unknown> {
  return withoutUndefined({
    name: options.one('name'),
    filterBy: options.one('filter'),
    search: options.one('search'),
    state: options.one('state'),
    sortBy: options.one('sort'),
    isDescending: options.one('descending'),
    page: options.one('page'),
    itemsOnPage: options.one('items'),
  });
}

/** The fields of the API for these options. An empty value, such as `--ip ''`, empties the list. */
export function tokenFields(options: OptionValues): object {
  const expires = options.one('expires');
  const retentionDays = options.one('retention-days');
  return withoutUndefined({
    label: options.one('label'),
    streams: streamRules(options, 'stream', 'pattern'),
    addTokenStreams: streamRules(options, 'add-stream', 'add-pattern'),
    removeTokenStreams: options.all('remove-stream'),
    allowedOrigins: options.all('origin')?.filter(Boolean),
    allowedIpAddresses: options.all('ip')?.filter(Boolean),
    deniedIpAddresses: options.all('denied-ip')?.filter(Boolean),
    allowedCountries: options.all('country')?.filter(Boolean),
    deniedCountries: options.all('denied-country')?.filter(Boolean),
    bindIpsOnUsage: numberOf(options.one('bind')),
    maxSessions: numberOf(options.one('max-sessions')),
    whenFull: options.one('when-full'),
    expires: expires === 'never' ? null : numberOf(expires),
    subscribeRequiresAuth: booleanOf('requires-auth', options),
    record: booleanOf('record', options),
    recordingRetentionDays: retentionDays === 'account' ? null : numberOf(retentionDays),
    isActive: booleanOf('active', options),
    refreshToken: booleanOf('refresh', options),
  });
}

/** Undefined: neither option was given. */
function streamRules(options: OptionValues, names: string, patterns: string): object[] | undefined {
  const rules = [
    ...(options.all(names) ?? []).map((streamName) => ({ streamName, isRegex: false })),
    ...(options.all(patterns) ?? []).map((streamName) => ({ streamName, isRegex: true })),
  ];
  return rules.length > 0 ? rules : undefined;
}

/** Text that is not a number is returned unchanged: the schema then refuses it. */
export function numberOf(text: string | undefined): number | string | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : text;
}

function booleanOf(name: string, options: OptionValues): boolean | undefined {
  const text = options.one(name);
  return text === undefined ? undefined : text === 'true';
}

export function withoutUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
