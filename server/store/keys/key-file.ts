import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DataDirError } from '../database-errors.js';

export const MASTER_KEY_BYTES = 32;
export const KEY_FILE = 'master.key';

export interface ServerKeys {
  /** Seals token values at rest: AES-256. */
  readonly sealKey: KeyObject;
  /** Signs the grants that the director issues: HMAC-SHA-256. */
  readonly grantKey: KeyObject;
  /** Signs the challenges of passkeys: HMAC-SHA-256. */
  readonly challengeKey: KeyObject;
  /** Signs the links to recordings: HMAC-SHA-256. */
  readonly linkKey: KeyObject;
}

/**
 * Derives the keys of this server from one master key: `encryptionKey` if it is given, else the key file of the data
 * folder. The key file is created on first use. Without its key, stored token values cannot be read, so a data folder
 * that has tokens never gets a new key: pass `mayMakeKey: false`.
 * @throws {DataDirError}
 */
export function openKeys(
  dataDir: string,
  encryptionKey?: Uint8Array,
  { mayMakeKey = true }: { readonly mayMakeKey?: boolean } = {},
): ServerKeys {
  const master = encryptionKey ?? readOrMakeKey(dataDir, mayMakeKey);
  return {
    sealKey: derive(master, 'streamgate token values v1'),
    grantKey: derive(master, 'streamgate grants v1'),
    challengeKey: derive(master, 'streamgate passkey challenges v1'),
    linkKey: derive(master, 'streamgate recording links v1'),
  };
}

/**
 * The key file, if other users can read or write it, for example after it was restored from a backup. Undefined if
 * only its owner can, if there is no key file, and on Windows, which has no such permissions.
 */
export function exposedKeyFile(dataDir: string): { readonly file: string; readonly mode: string } | undefined {
  const file = resolve(dataDir, KEY_FILE);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || process.platform === 'win32' || (mode & 0o177) === 0) return undefined;
  return { file, mode: (mode & 0o777).toString(8).padStart(4, '0') };
}

function derive(master: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', master, '', purpose, 32)));
}

function readOrMakeKey(dataDir: string, mayMakeKey: boolean): Uint8Array {
  const path = join(dataDir, KEY_FILE);
  try {
    const key = readIfThere(path) ?? (mayMakeKey ? makeKey(dataDir, path) : missing());
    if (key.length === MASTER_KEY_BYTES) return key;
    throw new Error(`it has ${key.length} bytes, not ${MASTER_KEY_BYTES}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DataDirError(`the key file ${path} cannot be used: ${why}`, { cause: error });
  }
}

/**
 * Links a finished file: that is atomic and never replaces a file, so two processes at first start use the same key.
 */
function makeKey(dataDir: string, path: string): Uint8Array {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, randomBytes(MASTER_KEY_BYTES));
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
  return readFileSync(path);
}

function missing(): never {
  throw new Error(
    'it is missing, and the tokens in the database cannot be read without it; restore it from a backup, or set ENCRYPTION_KEY',
  );
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
