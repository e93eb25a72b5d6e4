import type {
  CreateSubscribeTokenInput,
  CreatePublishTokenInput,
  TokenBody,
  UpdateSubscribeTokenInput,
} from '../../../wire/management/token.js';
import type { WhenFull } from '../../../wire/management/session-limit.js';
import type { TokenKind } from './token-kind.js';

/** Seconds of each unit of a duration. */
const UNITS = { minutes: 60, hours: 3_600, days: 86_400 } as const;

export type DurationUnit = keyof typeof UNITS;

export const durationUnits = ['minutes', 'hours', 'days'] as const satisfies readonly DurationUnit[];

/** What a person has entered for a token. Lists have an entry per line. */
export interface TokenDraft {
  readonly label: string;
  readonly names: string;
  readonly patterns: string;
  readonly origins: string;
  /** `list`: only these addresses, or every one if there is none. `bind`: the first that use the token. */
  readonly addressRule: 'list' | 'bind';
  readonly addresses: string;
  readonly bindCount: string;
  readonly deniedAddresses: string;
  readonly allowedCountries: string;
  readonly deniedCountries: string;
  /** `keep`: as it is in the token that is edited. */
  readonly expiry: 'keep' | 'never' | 'date' | 'duration';
  /** Local time, as `2026-12-31T23:59`. */
  readonly expiryDate: string;
  readonly duration: string;
  readonly durationUnit: DurationUnit;
  /** Only of publish tokens. */
  readonly needsToken: boolean;
  readonly record: boolean;
  /** Days. Empty: as the account has it. */
  readonly retentionDays: string;
  /** Only of subscribe tokens. Empty: any number. */
  readonly maxSessions: string;
  readonly whenFull: WhenFull;
}

/** The parts of the form that are checked, explained and changed as one, with what belongs to each. */
const FIELDS = {
  label: ['label'],
  streams: ['names', 'patterns'],
  origins: ['origins'],
  addresses: ['addressRule', 'addresses', 'bindCount'],
  deniedAddresses: ['deniedAddresses'],
  allowedCountries: ['allowedCountries'],
  deniedCountries: ['deniedCountries'],
  expiry: ['expiry', 'expiryDate', 'duration', 'durationUnit'],
  viewers: ['needsToken'],
  recording: ['record', 'retentionDays'],
  places: ['maxSessions', 'whenFull'],
} as const satisfies Readonly<Record<string, readonly (keyof TokenDraft)[]>>;

export type TokenField = keyof typeof FIELDS;

export const tokenFields = Object.keys(FIELDS) as readonly TokenField[];

/** The values of a field, as entries of a draft. */
export const valuesOf = (draft: TokenDraft, field: TokenField): Partial<TokenDraft> =>
  Object.fromEntries(FIELDS[field].map((key) => [key, draft[key]]));

/** Whether two drafts have different values in a field. */
export const differs = (one: TokenDraft, other: TokenDraft, field: TokenField): boolean =>
  FIELDS[field].some((key) => one[key] !== other[key]);

/** A new token: permits no stream yet, and works everywhere and for ever. */
export const emptyDraft: TokenDraft = {
  label: '',
  names: '',
  patterns: '',
  origins: '',
  addressRule: 'list',
  addresses: '',
  bindCount: '1',
  deniedAddresses: '',
  allowedCountries: '',
  deniedCountries: '',
  expiry: 'never',
  expiryDate: '',
  duration: '24',
  durationUnit: 'hours',
  needsToken: false,
  record: false,
  retentionDays: '',
  maxSessions: '',
  whenFull: 'refuse',
};

/** A token as a draft, to edit it. */
export function draftOf(token: TokenBody): TokenDraft {
  const named = (isRegex: boolean): string =>
    token.streams
      .filter((rule) => rule.isRegex === isRegex)
      .map((rule) => rule.streamName)
      .join('\n');
  const binds = token.bindIpsOnUsage > 0;
  return {
    ...emptyDraft,
    label: token.label,
    names: named(false),
    patterns: named(true),
    origins: token.allowedOrigins.join('\n'),
    addressRule: binds ? 'bind' : 'list',
    // With bindings these are the bound addresses, which a person who turns to a list begins with.
    addresses: token.allowedIpAddresses.join('\n'),
    bindCount: binds ? String(token.bindIpsOnUsage) : emptyDraft.bindCount,
    deniedAddresses: token.deniedIpAddresses.join('\n'),
    allowedCountries: token.allowedCountries.join(', '),
    deniedCountries: token.deniedCountries.join(', '),
    expiry: 'keep',
    needsToken: token.subscribeRequiresAuth === true,
    record: token.record === true,
    retentionDays: token.recordingRetentionDays ? String(token.recordingRetentionDays) : '',
    maxSessions: token.maxSessions ? String(token.maxSessions) : '',
    whenFull: token.whenFull ?? 'refuse',
  };
}

/** The fields of a token as the API takes them: those that creating and changing a token have in common. */
export type TokenFieldsBody = CreateSubscribeTokenInput &
  Pick<UpdateSubscribeTokenInput, 'streams'> &
  Pick<CreatePublishTokenInput, 'subscribeRequiresAuth' | 'record' | 'recordingRetentionDays'>;

/** The body of a request that creates the token. @param now milliseconds since 1970 */
export function creationOf(draft: TokenDraft, kind: TokenKind, now: number): TokenFieldsBody {
  const present = draft.expiry === 'keep' ? { ...draft, expiry: 'never' as const } : draft;
  return Object.assign({}, ...tokenFields.map((field) => bodyOf(field, present, { kind, now, base: undefined })));
}

/** The body of a request that changes what the draft has changed. Empty: nothing. */
export function changeOf(draft: TokenDraft, base: TokenBody, kind: TokenKind, now: number): TokenFieldsBody {
  const before = draftOf(base);
  const changed = tokenFields.filter((field) => differs(draft, before, field));
  return Object.assign({}, ...changed.map((field) => bodyOf(field, draft, { kind, now, base: before })));
}

interface Circumstances {
  readonly kind: TokenKind;
  readonly now: number;
  /** The token before the change. Undefined: the token is new. */
  readonly base: TokenDraft | undefined;
}

function bodyOf(field: TokenField, draft: TokenDraft, { kind, now, base }: Circumstances): TokenFieldsBody {
  switch (field) {
    case 'label':
      return { label: draft.label.trim() };
    case 'streams':
      return { streams: streamsOf(draft, base) };
    case 'origins':
      return { allowedOrigins: linesOf(draft.origins) };
    case 'addresses':
      return addressesOf(draft, base);
    case 'deniedAddresses': {
      const deniedIpAddresses = linesOf(draft.deniedAddresses);
      return base || deniedIpAddresses.length > 0 ? { deniedIpAddresses } : {};
    }
    case 'allowedCountries':
    case 'deniedCountries': {
      const codes = draft[field].split(/[\s,;]+/).filter(Boolean);
      return base || codes.length > 0 ? { [field]: codes } : {};
    }
    case 'expiry':
      return expiryOf(draft, now);
    case 'viewers':
      return kind === 'publish' ? { subscribeRequiresAuth: draft.needsToken } : {};
    case 'recording':
      return kind === 'publish' ? recordingOf(draft, base) : {};
    case 'places':
      return kind === 'subscribe'
        ? { maxSessions: draft.maxSessions.trim() ? wholeNumber(draft.maxSessions) : 0, whenFull: draft.whenFull }
        : {};
  }
}

/** Names may begin and end with spaces. Those of the token that is edited stay as they are, others are trimmed. */
function streamsOf(draft: TokenDraft, base: TokenDraft | undefined): NonNullable<TokenFieldsBody['streams']> {
  const rules = (key: 'names' | 'patterns') => {
    const known = new Set(base?.[key].split('\n'));
    return draft[key]
      .split('\n')
      .map((line) => (known.has(line) ? line : line.trim()))
      .filter(Boolean)
      .map((streamName) => ({ streamName, isRegex: key === 'patterns' }));
  };
  return [...rules('names'), ...rules('patterns')];
}

/** Sending the list of addresses removes all bindings, so it is not sent when only their number changes. */
function addressesOf(draft: TokenDraft, base: TokenDraft | undefined): TokenFieldsBody {
  const isOtherRule = base !== undefined && base.addressRule !== draft.addressRule;
  if (draft.addressRule === 'list') {
    const list = { allowedIpAddresses: linesOf(draft.addresses) };
    return isOtherRule ? { ...list, bindIpsOnUsage: 0 } : list;
  }
  const count = wholeNumber(draft.bindCount);
  // 0 would mean that every address may use the token.
  const binding = { bindIpsOnUsage: count === 0 ? Number.NaN : count };
  return isOtherRule ? { ...binding, allowedIpAddresses: [] } : binding;
}

function expiryOf({ expiry, expiryDate, duration, durationUnit }: TokenDraft, now: number): TokenFieldsBody {
  switch (expiry) {
    case 'keep':
      return {};
    case 'never':
      return { expires: null };
    case 'date':
      return { expires: Math.round((Date.parse(expiryDate) - now) / 1_000) };
    case 'duration':
      return { expires: wholeNumber(duration) * UNITS[durationUnit] };
  }
}

/** A new token has what is not sent; of an edited one, only what was changed is sent. */
function recordingOf({ record, retentionDays }: TokenDraft, base: TokenDraft = emptyDraft): TokenFieldsBody {
  const days = retentionDays.trim();
  return {
    ...(record !== base.record && { record }),
    ...(days !== base.retentionDays && { recordingRetentionDays: days ? wholeNumber(days) : null }),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** NaN, which every schema refuses, if the text is no whole number. */
const wholeNumber = (text: string): number => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN);
