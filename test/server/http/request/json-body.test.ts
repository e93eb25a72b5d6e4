import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { Request, Response } from 'express';
import fc from 'fast-check';
import { hasPlainJsonBody, jsonBody, readPlainJsonBody } from '../../../../server/http/request/json-body.js';
import { anyCharacter } from '../../../support/any-character.js';

const HEADERS = { 'content-type': 'application/json', 'content-length': '2' };

/** The result for a body: parsed, or refused with the fields that the error handler reads. */
type Outcome = { body: unknown } | { status: unknown; type: unknown };

const refused = (error: unknown): Outcome => ({
  status: error instanceof Error && 'status' in error && error.status,
  type: error instanceof Error && 'type' in error && error.type,
});

const readShort = (chunks: Buffer[]): Promise<Outcome> =>
  new Promise((resolve) => {
    readPlainJsonBody(
      Readable.from(chunks),
      (body) => resolve({ body }),
      (error) => resolve(refused(error)),
    );
  });

const readByExpress = (bytes: Buffer): Promise<Outcome> =>
  new Promise((resolve) => {
    const headers = { ...HEADERS, 'content-length': String(bytes.length) };
    const req: Readable & { body?: unknown } = Object.assign(Readable.from([bytes]), { headers });
    const done = (error?: unknown) => resolve(error ? refused(error) : { body: req.body });
    jsonBody()(req as Request, {} as Response, done);
  });

/** JSON of every kind, with a byte order mark, cut short or with a byte changed, and bytes that are not JSON. */
const bodies = fc
  .oneof(
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(`\uFEFF ${text}`)),
    fc.tuple(fc.json({ maxDepth: 1 }), fc.nat()).map(([text, at]) => Buffer.from(text).subarray(0, at % 40)),
    fc.tuple(fc.json({ maxDepth: 1 }), fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
      const bytes = Buffer.from(text);
      bytes[at % bytes.length] = byte;
      return bytes;
    }),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom('[{},', '[1,', '{"a":', '[').map((part) => Buffer.from(part.repeat(3_000))),
    fc.dictionary(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter })).map((object) => {
      return Buffer.from(JSON.stringify(object));
    }),
  )
  .filter(({ length }) => length > 0);

describe('readPlainJsonBody', () => {
  it('parses and refuses the same bodies as the parser of Express, however the body is split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), async (bytes, at) => {
        const cut = at % bytes.length;
        const pieces = cut === 0 ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)];
        assert.deepEqual(await readShort(pieces), await readByExpress(bytes));
      }),
      { numRuns: 1_000 },
    );
  });

  it('decodes a character that is split between two chunks', async () => {
    const bytes = Buffer.from('{"é":1}');
    assert.deepEqual(await readShort([bytes.subarray(0, 3), bytes.subarray(3)]), { body: { é: 1 } });
  });

  it('calls no callback when the body breaks off', async () => {
    const req = new Readable({ read() {} });
    readPlainJsonBody(
      req,
      () => assert.fail('was read'),
      () => assert.fail('was refused'),
    );
    req.push('{"streamName":"ma');
    const closed = new Promise((resolve) => req.on('close', resolve));
    req.destroy();
    await closed;
  });
});

describe('hasPlainJsonBody', () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'text/plain;charset=UTF-8',
  ]) {
    it(`is true for ${type}`, () => {
      assert.equal(hasPlainJsonBody({ headers: { ...HEADERS, 'content-type': type } }), true);
    });
  }

  const odd: [what: string, headers: Record<string, string | undefined>][] = [
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['another type', { 'content-type': 'application/jsonp' }],
    ['no type', { 'content-type': undefined }],
    ['a compressed body', { 'content-encoding': 'gzip' }],
    ['no body', { 'content-length': '0' }],
    ['no Content-Length', { 'content-length': undefined, 'transfer-encoding': 'chunked' }],
    ['a byte too many', { 'content-length': '65537' }],
  ];
  for (const [what, headers] of odd) {
    it(`is false for ${what}`, () => {
      assert.equal(hasPlainJsonBody({ headers: { ...HEADERS, ...headers } }), false);
    });
  }

  it('is true for a body of the largest size', () => {
    assert.equal(hasPlainJsonBody({ headers: { ...HEADERS, 'content-length': '65536' } }), true);
  });
});
