import type { CommandOptions, OptionValues } from '../command.js';
import { UsageError } from '../command.js';

/** What can be said of a token, when it is made and when it is changed. A list is the option several times. */
export const tokenOptions: CommandOptions = {
  label: { value: 'TEXT' },
  stream: { value: 'NAME', multiple: true },
  pattern: { value: 'REGEX', multiple: true },
  origin: { value: 'ORIGIN', multiple: true },
  ip: { value: 'ADDRESS', multiple: true },
  bind: { value: 'N' },
  expires: { value: 'SECONDS|never' },
  'requires-auth': { value: 'true|false' },
};

export const tokenChangeOptions: CommandOptions = {
  ...tokenOptions,
  'add-stream': { value: 'NAME', multiple: true },
  'add-pattern': { value: 'REGEX', multiple: true },
  'remove-stream': { value: 'NAME', multiple: true },
  active: { value: 'true|false' },
  refresh: { value: 'true|false' },
};

export const tokenListOptions: CommandOptions = {
  name: { value: 'NAME' },
  filter: { value: 'None|TokenName|StreamName|TokenOrStreamName' },
  sort: { value: 'Name|AddedOn' },
  descending: { value: 'true|false' },
  page: { value: 'N' },
  items: { value: 'N' },
};

/** The query of the API that these options stand for. */
export function tokenListQueryFields(options: OptionValues): Record<string, unknown> {
  return withoutUndefined({
    name: options.one('name'),
    filterBy: options.one('filter'),
    sortBy: options.one('sort'),
    isDescending: options.one('descending'),
    page: options.one('page'),
    itemsOnPage: options.one('items'),
  });
}

/** The fields of the API that these options stand for. An empty `--origin ''` or `--ip ''` empties the list. */
export function tokenFields(options: OptionValues): object {
  const expires = options.one('expires');
  return withoutUndefined({
    label: options.one('label'),
    streams: streamRules(options, 'stream', 'pattern'),
    addTokenStreams: streamRules(options, 'add-stream', 'add-pattern'),
    removeTokenStreams: options.all('remove-stream'),
    allowedOrigins: options.all('origin')?.filter(Boolean),
    allowedIpAddresses: options.all('ip')?.filter(Boolean),
    bindIpsOnUsage: numberOf(options.one('bind')),
    expires: expires === 'never' ? null : numberOf(expires),
    subscribeRequiresAuth: truthOf('requires-auth', options),
    isActive: truthOf('active', options),
    refreshToken: truthOf('refresh', options),
  });
}

/** Undefined where neither option was given. */
function streamRules(options: OptionValues, names: string, patterns: string): object[] | undefined {
  const rules = [
    ...(options.all(names) ?? []).map((streamName) => ({ streamName, isRegex: false })),
    ...(options.all(patterns) ?? []).map((streamName) => ({ streamName, isRegex: true })),
  ];
  return rules.length > 0 ? rules : undefined;
}

/** What is no number stays as it is: the schema says what is wrong with it. */
export function numberOf(text: string | undefined): number | string | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : text;
}

function truthOf(name: string, options: OptionValues): boolean | undefined {
  const text = options.one(name);
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(`--${name} is true or false`);
}

export function withoutUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
