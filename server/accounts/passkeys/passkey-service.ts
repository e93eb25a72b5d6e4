import {
  passkeyCreationOptions,
  type AddPasskey,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  type SignedCredential,
} from '../../../src/wire/management/passkey.js';
import { ApiError, ConflictError, NotFoundError, UnauthorizedError } from '../../errors.js';
import { runAsActor } from '../../oversight/actor.js';
import { newSession, type DashboardSessionStart, type LoginBrowser } from '../dashboard-login.js';
import { secretHash, secretId } from '../secret-value.js';
import { isForSite, readClientData, type PasskeyRefusalCode, type PasskeySite } from './passkey-answer.js';
import { CHALLENGE_TTL_MS, type PasskeyChallenges } from './passkey-challenges.js';
import type { PasskeyStore, PasskeySubject } from './passkey-store.js';
import { MAX_PASSKEYS, type Passkey } from './passkey.js';

/** The name that authenticators show for the dashboard. */
const SITE_NAME = 'Streamgate';

/** EdDSA, ES256 and RS256 (COSE): every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257];

/** The member who is logged in. */
export interface PasskeyMember {
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
}

export type PasskeySignIn =
  | { readonly ok: true; readonly login: DashboardSessionStart }
  | { readonly ok: false; readonly refusal: PasskeyRefusalCode };

const SENTENCES: Readonly<Record<PasskeyRefusalCode, string>> = {
  passkey_challenge_wrong: 'this answer came too late, or was used before; try again',
  passkey_site_wrong: 'this passkey was made for another site, or used on one',
  passkey_wrong: 'this passkey could not be verified',
  passkey_unknown: 'no member has this passkey; it may have been removed',
};

// The library is loaded at its first use: it brings parsers of certificates, and many servers never see a passkey.
const library = () => import('@simplewebauthn/server');

/** The passkeys of members, and signing in with them (WebAuthn level 3). */
export class PasskeyService {
  readonly #store: PasskeyStore;
  readonly #challenges: PasskeyChallenges;
  readonly #now: () => number;

  constructor(store: PasskeyStore, challenges: PasskeyChallenges, now: () => number = Date.now) {
    this.#store = store;
    this.#challenges = challenges;
    this.#now = now;
  }

  async list(memberId: string): Promise<readonly Passkey[]> {
    return await this.#store.list(memberId);
  }

  /** What a browser needs to make a passkey. A device that has one already makes no second. */
  async creationOptions({ id, name }: PasskeyMember, { host }: PasskeySite): Promise<PasskeyCreationOptions> {
    const { generateRegistrationOptions } = await library();
    const existing = await this.#store.list(id);
    const options = await generateRegistrationOptions({
      rpName: SITE_NAME,
      rpID: host,
      userID: new Uint8Array(Buffer.from(id)),
      userName: name,
      userDisplayName: name,
      challenge: this.#challenges.create({ to: 'add', memberId: id }),
      timeout: CHALLENGE_TTL_MS,
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    const excludeCredentials = existing.map(({ credentialId }) => ({ id: credentialId, type: 'public-key' }));
    return passkeyCreationOptions.parse({ ...options, excludeCredentials });
  }

  /**
   * @throws {ApiError} 400 `passkey_challenge_wrong`, `passkey_site_wrong`, `passkey_wrong`
   * @throws {ConflictError} `passkey_exists`, `passkeys_full`
   */
  async add(member: PasskeyMember, { name, credential }: AddPasskey, site: PasskeySite): Promise<Passkey> {
    const client = readClientData(credential.response.clientDataJSON, site, (challenge) =>
      this.#challenges.check(challenge, { to: 'add', memberId: member.id }),
    );
    if (typeof client === 'string') throw notAdded(client);
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response: {
        id: credential.id,
        rawId: credential.rawId,
        type: credential.type,
        clientExtensionResults: {},
        response: {
          clientDataJSON: credential.response.clientDataJSON,
          attestationObject: credential.response.attestationObject,
        },
      },
      expectedChallenge: () => true,
      expectedOrigin: client.origin,
      expectedRPID: site.host,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => ({ registrationInfo: undefined }));
    if (!made) throw notAdded('passkey_wrong');
    const now = this.#now();
    const passkey: Passkey = {
      id: secretId('pky', secretHash(made.credential.id)),
      credentialId: made.credential.id,
      accountId: member.accountId,
      memberId: member.id,
      name,
      host: site.host,
      publicKey: Buffer.from(made.credential.publicKey).toString('base64url'),
      counter: made.credential.counter,
      transports: credential.response.transports ?? [],
      synced: made.credentialBackedUp,
      createdOn: now,
      lastUsedOn: null,
    };
    switch (await this.#store.add(passkey, client.challenge, now)) {
      case 'added':
        return passkey;
      case 'challenge_used':
        throw notAdded('passkey_challenge_wrong');
      case 'exists':
        throw new ConflictError('passkey_exists', 'This passkey was added before');
      case 'full':
        throw new ConflictError('passkeys_full', `A member has at most ${MAX_PASSKEYS} passkeys; remove one first`);
      case 'gone':
        throw new UnauthorizedError('login_required', 'Unauthorized: this member was removed');
    }
  }

  /** @throws {NotFoundError} `passkey_not_found` */
  async rename(subject: PasskeySubject, name: string): Promise<Passkey> {
    return (await this.#store.rename(subject, name, this.#now())) ?? notFound(subject);
  }

  /** @throws {NotFoundError} `passkey_not_found` */
  async remove(subject: PasskeySubject): Promise<void> {
    if (!(await this.#store.remove(subject, this.#now()))) notFound(subject);
  }

  /** What a browser needs to use a passkey. It offers all that the person has for this host. */
  async requestOptions({ host }: PasskeySite): Promise<PasskeyRequestOptions> {
    const { generateAuthenticationOptions } = await library();
    return {
      ...(await generateAuthenticationOptions({
        rpID: host,
        challenge: this.#challenges.create({ to: 'sign-in' }),
        timeout: CHALLENGE_TTL_MS,
        userVerification: 'required',
      })),
    };
  }

  /** Signs the member in whose passkey it is: the credential says who it is. */
  async signIn(credential: SignedCredential, site: PasskeySite, browser: LoginBrowser): Promise<PasskeySignIn> {
    const { response } = credential;
    const client = readClientData(response.clientDataJSON, site, (challenge) =>
      this.#challenges.check(challenge, { to: 'sign-in' }),
    );
    if (typeof client === 'string') return { ok: false, refusal: client };
    if (!isForSite(response.authenticatorData, site)) return { ok: false, refusal: 'passkey_site_wrong' };
    const passkey = await this.#store.findByCredential(credential.id);
    if (!passkey) return { ok: false, refusal: 'passkey_unknown' };
    const counter = await this.#verifiedCounter(passkey, credential, client.origin);
    if (counter === undefined) return { ok: false, refusal: 'passkey_wrong' };

    const now = this.#now();
    const { session, stored } = newSession(browser, now);
    const loggedIn = await runAsActor({ by: 'dashboard', id: secretId('ses', stored.hash) }, () =>
      this.#store.signIn({ credentialId: passkey.credentialId, counter, challenge: client.challenge }, stored, now),
    );
    switch (loggedIn) {
      case 'challenge_used':
        return { ok: false, refusal: 'passkey_challenge_wrong' };
      case 'passkey_wrong':
        return { ok: false, refusal: 'passkey_wrong' };
      case 'gone':
        return { ok: false, refusal: 'passkey_unknown' };
      default:
        return { ok: true, login: { ...loggedIn, session, expiresOn: stored.expiresOn } };
    }
  }

  /** The counter that the passkey signed. Undefined: the signature is wrong, or the person was not verified. */
  async #verifiedCounter(passkey: Passkey, credential: SignedCredential, origin: string): Promise<number | undefined> {
    const { userHandle, ...response } = credential.response;
    if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.memberId) return undefined;
    const { verifyAuthenticationResponse } = await library();
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: {
          id: credential.id,
          rawId: credential.rawId,
          type: credential.type,
          clientExtensionResults: {},
          response,
        },
        expectedChallenge: () => true,
        expectedOrigin: origin,
        expectedRPID: passkey.host,
        requireUserVerification: true,
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
      });
      return verified ? authenticationInfo.newCounter : undefined;
    } catch {
      // The library throws for each kind of answer that it refuses.
      return undefined;
    }
  }
}

/** 401: nobody is signed in. */
export function signInRefused(refusal: PasskeyRefusalCode): UnauthorizedError {
  return new UnauthorizedError(refusal, `Unauthorized: ${SENTENCES[refusal]}`);
}

function notAdded(refusal: PasskeyRefusalCode): ApiError {
  return new ApiError(400, refusal, `The passkey was not added: ${SENTENCES[refusal]}`);
}

function notFound({ id }: PasskeySubject): never {
  throw new NotFoundError('passkey_not_found', `You have no passkey with id: ${id}`);
}
