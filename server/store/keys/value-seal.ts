import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The value was sealed with another key, or the stored text is damaged. */
export class SealBrokenError extends Error {
  override name = 'SealBrokenError';

  constructor(options: ErrorOptions) {
    super(
      'a stored token value cannot be read with this key: restore the master.key of the data folder, or set the ENCRYPTION_KEY, that it was encrypted with',
      options,
    );
  }
}

/**
 * Encrypts values for storage with AES-256-GCM, as base64 of nonce, tag and ciphertext. `context` must be the same for
 * sealing and opening, so a sealed value that is copied to another row does not open there.
 */
export class ValueSeal {
  readonly #key: KeyObject;

  constructor(key: KeyObject) {
    this.#key = key;
  }

  seal(value: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** @throws {SealBrokenError} */
  open(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const value = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      // Returns no more data with this cipher, but throws if the tag is wrong.
      decipher.final();
      return value.toString('utf8');
    } catch (error) {
      throw new SealBrokenError({ cause: error });
    }
  }
}
