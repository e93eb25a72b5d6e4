import type * as browserLibrary from '@simplewebauthn/browser';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type {
  NewCredential,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  SignedCredential,
} from '../../wire/management/passkey.js';
import { newCredential, signedCredential } from '../../wire/management/passkey.js';

/** Why the browser gave no passkey. Keys of the texts. */
export type PasskeyFault = 'passkeyCancelled' | 'passkeyExists' | 'passkeyFailed';

export class PasskeyError extends Error {
  override name = 'PasskeyError';

  constructor(
    readonly fault: PasskeyFault,
    options?: ErrorOptions,
  ) {
    super(fault, options);
  }
}

/** Whether this browser has passkeys for this page: only in a secure context, and not for a bare IP address. */
export function hasPasskeys(): boolean {
  const isAddress = /^\[|^[\d.]+$/.test(location.hostname);
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress;
}

/** Asks the person to make a passkey. @throws {PasskeyError} */
export async function makePasskey(options: PasskeyCreationOptions): Promise<NewCredential> {
  return await fromBrowser(async ({ startRegistration }) =>
    newCredential.parse(await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })),
  );
}

/** Asks the person for one of their passkeys. @throws {PasskeyError} */
export async function usePasskey(options: PasskeyRequestOptions): Promise<SignedCredential> {
  return await fromBrowser(async ({ startAuthentication }) =>
    signedCredential.parse(
      await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
    ),
  );
}

async function fromBrowser<Credential>(
  ask: (library: typeof browserLibrary) => Promise<Credential>,
): Promise<Credential> {
  try {
    return await ask(await import('@simplewebauthn/browser'));
  } catch (cause) {
    throw new PasskeyError(faultOf(cause), { cause });
  }
}

/** The library keeps the error of the browser as the cause of its own. */
function faultOf(error: unknown): PasskeyFault {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'passkeyCancelled';
  return name === 'InvalidStateError' ? 'passkeyExists' : 'passkeyFailed';
}
