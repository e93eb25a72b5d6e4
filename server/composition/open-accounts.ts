import type { Logger } from 'pino';
import { ApiKeyService } from '../accounts/api-key-service.js';
import { ApiSecretService } from '../accounts/api-secret-service.js';
import { DashboardLogin } from '../accounts/dashboard-login.js';
import { LastUseRecorder } from '../accounts/last-use-recorder.js';
import { MemberService } from '../accounts/member-service.js';
import { PasskeyChallenges } from '../accounts/passkeys/passkey-challenges.js';
import { PasskeyService } from '../accounts/passkeys/passkey-service.js';
import type { PasswordHasher } from '../accounts/passwords/password-hash.js';
import { PasswordService } from '../accounts/passwords/password-service.js';
import { ScheduleService } from '../accounts/schedule/schedule-service.js';
import { ThemeService } from '../accounts/theme/theme-service.js';
import type { OpenedResources } from './opened-resources.js';
import type { ServerKeys } from '../store/keys/key-file.js';
import { ValueSeal } from '../store/keys/value-seal.js';
import type { Database } from '../store/schema.js';
import { SqlApiKeyStore } from '../store/tables/sql-api-key-store.js';
import { SqlApiSecretStore } from '../store/tables/sql-api-secret-store.js';
import { SqlAttemptStore } from '../store/tables/sql-attempt-store.js';
import { SqlDashboardLoginStore } from '../store/tables/sql-dashboard-login-store.js';
import { SqlMemberStore } from '../store/tables/sql-member-store.js';
import { SqlPasskeyStore } from '../store/tables/sql-passkey-store.js';
import { SqlPasswordStore } from '../store/tables/sql-password-store.js';
import { SqlScheduleStore } from '../store/tables/sql-schedule-store.js';
import { SqlThemeStore } from '../store/tables/sql-theme-store.js';

/** Who may manage an account and how they prove it, and what the account shows to others. */
export interface AccountServices {
  readonly secrets: ApiSecretService;
  readonly keys: ApiKeyService;
  readonly dashboard: DashboardLogin;
  readonly members: MemberService;
  readonly passkeys: PasskeyService;
  readonly passwords: PasswordService;
  readonly themes: ThemeService;
  readonly schedule: ScheduleService;
  /** They write when a secret, a key or a login was last used. */
  readonly secretUses: LastUseRecorder;
  readonly keyUses: LastUseRecorder;
  readonly loginUses: LastUseRecorder;
}

export interface OpenAccountsOptions {
  readonly db: Database;
  readonly keys: ServerKeys;
  readonly passwordHasher: PasswordHasher | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** What `opened` closes writes the last uses that are not stored yet. */
export function openAccounts(
  opened: OpenedResources,
  { db, keys, passwordHasher, now, log }: OpenAccountsOptions,
): AccountServices {
  const secrets = new ApiSecretService(new SqlApiSecretStore(db), now);
  const apiKeys = new ApiKeyService(new SqlApiKeyStore(db), now);
  const dashboard = new DashboardLogin(new SqlDashboardLoginStore(db), now);

  const usesOf = (write: ConstructorParameters<typeof LastUseRecorder>[0]['write']): LastUseRecorder => {
    const uses = new LastUseRecorder({
      write,
      now,
      onFailed: (err) => log.warn({ err }, 'the last use of a credential was not recorded'),
    });
    opened.add(() => uses.flush());
    return uses;
  };
  return {
    secrets,
    keys: apiKeys,
    dashboard,
    members: new MemberService(new SqlMemberStore(db), now),
    passkeys: new PasskeyService(new SqlPasskeyStore(db), new PasskeyChallenges(keys.challengeKey, now), now),
    passwords: new PasswordService({
      store: new SqlPasswordStore(db, new ValueSeal(keys.sealKey)),
      attempts: new SqlAttemptStore(db),
      seal: new ValueSeal(keys.sealKey),
      hasher: passwordHasher,
      now,
    }),
    themes: new ThemeService(new SqlThemeStore(db), now, (err) =>
      log.warn({ err }, 'a hosted page is shown without its theme'),
    ),
    schedule: new ScheduleService(new SqlScheduleStore(db), now),
    secretUses: usesOf((hash, time, from) => secrets.recordUse(hash, time, from)),
    keyUses: usesOf((id, time, from) => apiKeys.recordUse(id, time, from)),
    loginUses: usesOf((hash, time, from) => dashboard.recordUse(hash, time, from)),
  };
}
