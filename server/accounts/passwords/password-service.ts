import type { PasswordLogin, PasswordOptions, SetPassword } from '../../../src/wire/management/password.js';
import { ApiError, ConflictError, NotFoundError, UnauthorizedError } from '../../errors.js';
import { runAsActor } from '../../oversight/actor.js';
import { newSession, type DashboardSessionStart, type LoginBrowser } from '../dashboard-login.js';
import { secretHash, secretId } from '../secret-value.js';
import { ADDRESS_DELAY, NAME_DELAY } from './attempt-delay.js';
import type { AttemptStore } from './attempt-store.js';
import { loginNetwork } from './known-networks.js';
import { codeUri, newCodeSecret, stepOfCode } from './one-time-code.js';
import { HashingBusyError, PasswordHasher } from './password-hash.js';
import { codeContext, type PasswordStore, type StoredPassword } from './password-store.js';
import { judgePassword } from './password-verdict.js';

/** The name that authenticator apps show for the dashboard. */
const ISSUER = 'Streamgate';
const SETUP_TTL_MS = 10 * 60_000;
const BUSY_RETRY_S = 5;

/** Encrypts the secrets of authenticator apps (server/store/keys/value-seal.ts). */
export interface CodeSeal {
  seal(value: string, context: string): string;
  open(sealed: string, context: string): string;
}

export interface PasswordServiceOptions {
  readonly store: PasswordStore;
  readonly attempts: AttemptStore;
  readonly seal: CodeSeal;
  readonly hasher?: PasswordHasher | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The passwords of members, each with the codes of an authenticator app, and logging in with them. */
export class PasswordService {
  readonly #store: PasswordStore;
  readonly #attempts: AttemptStore;
  readonly #seal: CodeSeal;
  readonly #hasher: PasswordHasher;
  readonly #now: () => number;
  /** Verified for an unknown login name, so that it takes as long to refuse. */
  readonly #decoy: { readonly hash: string; readonly secret: string };

  constructor({ store, attempts, seal, hasher = new PasswordHasher(), now = Date.now }: PasswordServiceOptions) {
    this.#store = store;
    this.#attempts = attempts;
    this.#seal = seal;
    this.#hasher = hasher;
    this.#now = now;
    this.#decoy = { hash: hasher.decoy(), secret: newCodeSecret() };
  }

  async find(memberId: string): Promise<StoredPassword | undefined> {
    return await this.#store.find(memberId);
  }

  /** A new secret for an authenticator app. The server stores it when the password is set. */
  options(accountId: string): PasswordOptions {
    const secret = newCodeSecret();
    const setup = this.#seal.seal(JSON.stringify([secret, this.#now() + SETUP_TTL_MS]), setupContext(accountId));
    return { secret, uri: codeUri(secret, { issuer: ISSUER, label: accountId }), setup };
  }

  /**
   * @throws {ApiError} 400 `password_unfit`, `setup_wrong`
   * @throws {ConflictError} `login_name_taken`
   */
  async set(member: { accountId: string; id: string }, fields: SetPassword): Promise<StoredPassword> {
    const loginName = canonicalLoginName(fields.loginName);
    if (canonicalLoginName(fields.password) === loginName) {
      throw new ApiError(400, 'password_unfit', 'The password is the login name; choose another');
    }
    const now = this.#now();
    const secret = this.#openSetup(fields.setup, member.accountId, now);
    const step = secret === undefined ? undefined : stepOfCode(secret, fields.code, now);
    if (secret === undefined || step === undefined) {
      throw new ApiError(
        400,
        'setup_wrong',
        'The code is wrong, or it came too late; enter the one that the app shows now',
      );
    }
    const password: StoredPassword = {
      memberId: member.id,
      accountId: member.accountId,
      loginName,
      hash: await this.#hasher.hash(fields.password).catch(refuseBusy),
      codeSecretSealed: this.#seal.seal(secret, codeContext(member.id)),
      lastStep: step,
      createdOn: now,
      lastUsedOn: null,
      knownNetworks: (await this.#store.find(member.id))?.knownNetworks ?? [],
    };
    switch (await this.#store.set(password, now)) {
      case 'set':
        return password;
      case 'name_taken':
        throw new ConflictError('login_name_taken', 'Another member has this login name; choose another');
      case 'gone':
        throw new UnauthorizedError('login_required', 'Unauthorized: this member was removed');
    }
  }

  /** @throws {NotFoundError} `password_not_found` */
  async remove(memberId: string): Promise<void> {
    if (await this.#store.remove(memberId, this.#now())) return;
    throw new NotFoundError('password_not_found', 'You have no password');
  }

  /**
   * A wrong name, a wrong password and a wrong code are refused alike, after the same work.
   * @throws {UnauthorizedError} `password_wrong`
   * @throws {ApiError} 429 `too_many_attempts`
   */
  async signIn(fields: PasswordLogin, browser: LoginBrowser): Promise<DashboardSessionStart> {
    const loginName = canonicalLoginName(fields.loginName);
    const stored = await this.#store.findByName(loginName);
    const network = stored && loginNetwork(stored.memberId, browser.address);
    // Others' guesses do not keep the member out where they have logged in before.
    const from = network !== undefined && stored?.knownNetworks.includes(network) ? ` from ${network}` : '';
    const name = { key: `name ${secretHash(loginName)}${from}`, rule: NAME_DELAY };
    const subjects = [{ key: `address ${browser.address || 'unknown'}`, rule: ADDRESS_DELAY }, name];
    const begun = this.#now();
    const waitsUntil = await this.#attempts.begin(subjects, begun);
    if (waitsUntil !== undefined) throw tooManyAttempts((waitsUntil - begun) / 1_000);

    const isPasswordRight = await this.#hasher
      .verify(fields.password, stored?.hash ?? this.#decoy.hash, browser.address)
      .catch(refuseBusy);
    const secret = stored ? this.#seal.open(stored.codeSecretSealed, codeContext(stored.memberId)) : this.#decoy.secret;
    const now = this.#now();
    const step = stepOfCode(secret, fields.code, now);
    const verdict = judgePassword(
      stored ? { name: 'known', isPasswordRight, step, lastStep: stored.lastStep } : { name: 'unknown' },
    );
    if (verdict.name === 'refused' || !stored) throw passwordWrong();

    const { session, stored: login } = newSession(browser, now);
    const loggedIn = await runAsActor({ by: 'dashboard', id: secretId('ses', login.hash) }, () =>
      this.#store.signIn({ password: stored, step: verdict.step, network }, login, now),
    );
    if (!loggedIn) throw passwordWrong();
    await this.#attempts.succeed(subjects, name);
    return { ...loggedIn, session, expiresOn: login.expiresOn };
  }

  /** The secret of a setup of this account that has not expired. */
  #openSetup(setup: string, accountId: string, now: number): string | undefined {
    try {
      const [secret, expiresOn]: [string, number] = JSON.parse(this.#seal.open(setup, setupContext(accountId)));
      return expiresOn > now ? secret : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Two names that people take for the same are the same. */
function canonicalLoginName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

const setupContext = (accountId: string): string => `code setup ${accountId}`;

function passwordWrong(): UnauthorizedError {
  return new UnauthorizedError('password_wrong', 'Unauthorized: the login name, the password or the code is wrong');
}

function refuseBusy(error: unknown): never {
  throw error instanceof HashingBusyError ? tooManyAttempts(BUSY_RETRY_S) : error;
}

function tooManyAttempts(waitS: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitS));
  return new ApiError(429, 'too_many_attempts', `Too many failed attempts; try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}
