import type { Grant } from '../../server/admission/grant.js';

/** A grant to view `main`. A test changes the field that it is about. */
export function aGrant(overrides: Partial<Grant> = {}): Grant {
  return {
    role: 'Subscribe',
    accountId: 'acme',
    streamName: 'main',
    sessionId: '0123456789abcdef0123456789abcdef',
    tokenId: 7,
    tokenFingerprint: 'abababababababab',
    signed: null,
    origin: 'https://example.com',
    address: '192.0.2.1',
    resumes: null,
    ...overrides,
  };
}

/** The claims of a signed grant. Verifies nothing. */
export const payloadOf = (jwt: string): ReturnType<typeof JSON.parse> =>
  JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString());
