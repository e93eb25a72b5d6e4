import type { ApiKeyScope } from '../../../../wire/management/api-key.js';

/** The texts of the security page. Dates and numbers arrive formatted for the language. */
export interface SecurityMessages {
  readonly security: string;
  readonly secret: string;
  readonly secretPurpose: string;
  readonly noSecret: string;
  readonly createSecret: string;
  readonly refreshSecret: string;
  readonly refreshQuestion: string;
  readonly refreshEffect: string;
  readonly deleteSecret: string;
  readonly deleteQuestion: string;
  readonly deleteEffect: string;
  readonly shownOnce: string;
  readonly keys: string;
  readonly keysPurpose: string;
  readonly noKeys: string;
  readonly newKey: string;
  readonly createKey: string;
  readonly name: string;
  readonly scopes: string;
  /** A sentence for each scope that says what it permits. */
  readonly scope: Readonly<Record<ApiKeyScope, string>>;
  readonly scopesMissing: string;
  readonly expiry: string;
  readonly never: string;
  readonly days: (count: number) => string;
  readonly oneYear: string;
  readonly created: (date: string) => string;
  readonly expires: (date: string) => string;
  readonly neverExpires: string;
  readonly lastUsed: (date: string, address: string) => string;
  readonly neverUsed: string;
  readonly oldValueUntil: (date: string) => string;
  readonly active: string;
  readonly expired: string;
  readonly revoked: string;
  readonly rotate: string;
  readonly rotateThis: (name: string) => string;
  readonly rotateEffect: string;
  readonly oldValueWorks: string;
  readonly notAtAll: string;
  readonly oneHour: string;
  readonly oneDay: string;
  readonly oneWeek: string;
  readonly revoke: string;
  readonly revokeThis: (name: string) => string;
  readonly revokeQuestion: (name: string) => string;
  readonly revokeEffect: string;
  readonly valueOf: (name: string) => string;
}
