import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type {
  NewCredential,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  SignedCredential,
} from '../../src/wire/management/passkey.js';

/** What CBOR is written from: the part of RFC 8949 that WebAuthn needs. */
type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

/** What an honest authenticator and browser do, to be changed by a test. */
export interface Answering {
  /** Of the page that asks. */
  readonly origin: string;
  /** Whose hash is signed. Absent: that of the options. */
  readonly host?: string;
  readonly challenge?: string;
  /** Whether the person was verified, for example by a fingerprint. Absent: true. */
  readonly verified?: boolean;
  readonly counter?: number;
  readonly crossOrigin?: boolean;
  readonly userHandle?: string;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** An authenticator of one credential, made from WebAuthn level 3 and RFC 9053 with the cryptography of Node alone. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  readonly #algorithm: 'ES256' | 'EdDSA';
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  #userHandle = '';
  counter = 0;

  constructor(algorithm: 'ES256' | 'EdDSA' = 'ES256') {
    this.#algorithm = algorithm;
    const pair =
      algorithm === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  /** As `navigator.credentials.create()`. */
  create(options: PasskeyCreationOptions, answering: Answering): NewCredential {
    this.#userHandle = options.user.id;
    const { host = options.rp.id ?? '', challenge = options.challenge } = answering;
    const idLength = Buffer.from([0, this.credentialId.length]);
    const attested = Buffer.concat([Buffer.alloc(16), idLength, this.credentialId, cbor(this.#coseKey())]);
    const authData = Buffer.concat([this.#authenticatorData(host, { ...answering, flags: ATTESTED }), attested]);
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, answering).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** As `navigator.credentials.get()`. */
  get(options: PasskeyRequestOptions, answering: Answering): SignedCredential {
    const { host = options.rpId ?? '', challenge = options.challenge, userHandle = this.#userHandle } = answering;
    const data = clientData('webauthn.get', challenge, answering);
    const authData = this.#authenticatorData(host, { ...answering, flags: 0 });
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign(this.#algorithm === 'ES256' ? 'sha256' : null, signed, this.#privateKey).toString('base64url'),
        userHandle,
      },
    };
  }

  #credential() {
    const id = this.credentialId.toString('base64url');
    return { id, rawId: id, type: 'public-key' } as const;
  }

  #authenticatorData(host: string, { verified = true, counter = this.counter, flags }: Answering & { flags: number }) {
    const head = Buffer.alloc(5);
    head.writeUInt8(PRESENT | (verified ? VERIFIED : 0) | flags);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(host).digest(), head]);
  }

  /** RFC 9053: kty 1, alg 3, crv -1, x -2, y -3. */
  #coseKey(): Cbor {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const bytes = (value: string) => Buffer.from(value, 'base64url');
    if (this.#algorithm === 'EdDSA') return new Map<number, Cbor>([...pairs(1, 3, -8), [-1, 6], [-2, bytes(x)]]);
    return new Map<number, Cbor>([...pairs(2, 3, -7), [-1, 1], [-2, bytes(x)], [-3, bytes(y)]]);
  }
}

const pairs = (kty: number, alg: number, value: number): [number, Cbor][] => [
  [1, kty],
  [alg, value],
];

function clientData(type: string, challenge: string, { origin, crossOrigin = false }: Answering): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

function head(major: number, size: number): Buffer {
  const first = major << 5;
  if (size < 24) return Buffer.from([first | size]);
  return size < 256 ? Buffer.from([first | 24, size]) : Buffer.from([first | 25, size >> 8, size & 0xff]);
}
