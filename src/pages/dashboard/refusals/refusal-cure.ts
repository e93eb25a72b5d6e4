import type { TokenBody } from '../../../wire/management/token.js';
import type { RefusalBody } from '../../../wire/management/refusal.js';

/** A change of a token after which it would not refuse for the same reason. */
export type CureName = 'allow-origin' | 'unblock-address' | 'allow-address' | 'add-stream' | 'extend' | 'enable';

const CURES: Readonly<Record<string, CureName>> = {
  origin_not_allowed: 'allow-origin',
  address_denied: 'unblock-address',
  address_not_allowed: 'allow-address',
  stream_not_permitted: 'add-stream',
  token_expired: 'extend',
  token_disabled: 'enable',
};

/** The days by which a token can be extended. `never`: it has no expiry then. */
export const extensions = ['1', '7', '30', 'never'] as const;

export interface Cure {
  readonly name: CureName;
  readonly reason: string;
  readonly kind: RefusalBody['kind'];
  readonly tokenId: number;
  readonly tokenLabel: string | null | undefined;
  /** What is allowed, unblocked or added. Undefined: it has to be chosen. */
  readonly value: string | undefined;
}

type Refused = Pick<RefusalBody, 'reason' | 'kind' | 'tokenId' | 'tokenLabel' | 'origin'> &
  Partial<Pick<RefusalBody, 'streamName' | 'address'>>;

/**
 * @param refused one request, or a group of them, which has no stream name and no address
 * @returns undefined if the token is not what refuses, or the request does not say what to allow
 */
export function cureOf(refused: Refused): Cure | undefined {
  const { reason, kind, tokenId, tokenLabel } = refused;
  const name = CURES[reason];
  if (name === undefined || tokenId === null) return undefined;
  const value = valueFor(name, refused);
  return value === '' ? undefined : { name, reason, kind, tokenId, tokenLabel, value };
}

/** Undefined: not known. Empty: there is none. */
export function valueFor(name: CureName, { origin, streamName, address }: Refused): string | undefined {
  switch (name) {
    case 'allow-origin':
      return hostOf(origin);
    case 'unblock-address':
    case 'allow-address':
      return address === null ? '' : address;
    case 'add-stream':
      return streamName;
    case 'extend':
    case 'enable':
      return undefined;
  }
}

/** An entry of `allowedOrigins`: the host, with every port. Empty: the client sent no origin with a host. */
const hostOf = (origin: string | null): string =>
  origin !== null && URL.canParse(origin) ? new URL(origin).hostname : '';

/** The fields of the change that cures, for the token as it is now. */
export type CureChange =
  | { readonly outcome: 'change'; readonly fields: CureFields }
  /** The token permits it already: another one that was signed with it refuses, or somebody has changed it meanwhile. */
  | { readonly outcome: 'already' }
  /** The address is blocked by a range of addresses. */
  | { readonly outcome: 'in-range' };

interface CureFields {
  readonly allowedOrigins?: string[];
  readonly allowedIpAddresses?: string[];
  readonly deniedIpAddresses?: string[];
  readonly addTokenStreams?: { readonly streamName: string }[];
  readonly expires?: number | null;
  readonly isActive?: boolean;
}

const DAY_S = 86_400;

/** @param now milliseconds since 1970 */
export function cureChange(
  { name, value = '' }: Pick<Cure, 'name' | 'value'>,
  token: Pick<
    TokenBody,
    'allowedOrigins' | 'allowedIpAddresses' | 'deniedIpAddresses' | 'streams' | 'expiresOn' | 'isActive'
  >,
  now: number,
): CureChange {
  const change = (isNeeded: boolean, fields: CureFields): CureChange =>
    isNeeded ? { outcome: 'change', fields } : { outcome: 'already' };
  const { allowedOrigins, allowedIpAddresses, deniedIpAddresses, streams, expiresOn, isActive } = token;
  switch (name) {
    case 'allow-origin':
      return change(!allowedOrigins.includes(value), { allowedOrigins: [...allowedOrigins, value] });
    case 'allow-address':
      return change(!allowedIpAddresses.includes(value), { allowedIpAddresses: [...allowedIpAddresses, value] });
    case 'unblock-address':
      if (deniedIpAddresses.length > 0 && !deniedIpAddresses.includes(value)) return { outcome: 'in-range' };
      return change(deniedIpAddresses.length > 0, {
        deniedIpAddresses: deniedIpAddresses.filter((entry) => entry !== value),
      });
    case 'add-stream':
      return change(!streams.some(({ streamName, isRegex }) => !isRegex && streamName === value), {
        addTokenStreams: [{ streamName: value }],
      });
    case 'extend':
      return change(expiresOn !== null && Date.parse(expiresOn) <= now, {
        expires: value === 'never' ? null : Number(value) * DAY_S,
      });
    case 'enable':
      return change(!isActive, { isActive: true });
  }
}
