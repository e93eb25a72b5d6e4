import * as z from 'zod/mini';
import type { TaggedToken } from '../../../management/token-calls.js';
import { whenFull } from '../../../wire/management/session-limit.js';
import { tokenRecord } from '../../../wire/management/token.js';
import { durationUnits, type TokenDraft } from './token-draft.js';
import { tokenKinds, type TokenKind } from './token-kind.js';

/** The form of a token, with what it began with. */
export interface TokenForm {
  readonly kind: TokenKind;
  /** The token that is edited. Undefined: a new one. */
  readonly base: TaggedToken | undefined;
  readonly draft: TokenDraft;
}

const keptToken = z.object({
  kind: z.enum(tokenKinds),
  base: z.optional(z.extend(tokenRecord, { etag: z.optional(z.string()) })),
  draft: z.object({
    label: z.string(),
    names: z.string(),
    patterns: z.string(),
    origins: z.string(),
    addressRule: z.enum(['list', 'bind']),
    addresses: z.string(),
    bindCount: z.string(),
    deniedAddresses: z.string(),
    allowedCountries: z.string(),
    deniedCountries: z.string(),
    expiry: z.enum(['keep', 'never', 'date', 'duration']),
    expiryDate: z.string(),
    duration: z.string(),
    durationUnit: z.enum(durationUnits),
    needsToken: z.boolean(),
    record: z.boolean(),
    retentionDays: z.string(),
    maxSessions: z.string(),
    whenFull,
  }),
});

/** The form as it is kept: without the value of the token, which is a secret. */
export const withoutValue = ({ kind, base, draft }: TokenForm): object => ({
  kind,
  draft,
  base: base && { ...base, token: '', Token: '' },
});

/** The form that was kept. Undefined: there is none, or another version of the dashboard kept it. */
export function readTokenForm(kept: unknown): TokenForm | undefined {
  const result = keptToken.safeParse(kept);
  if (!result.success) return undefined;
  const { kind, base, draft } = result.data;
  return { kind, base: base && { ...base, etag: base.etag }, draft };
}
