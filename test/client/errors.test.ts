import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { asStreamError, RejectedError, UnreachableError } from '../../src/client/errors.js';
import { ruleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { stopCode } from '../../src/wire/websocket/stop-code.js';

it('keeps an error of this package, and wraps any other with its message and cause', () => {
  const ours = new RejectedError('token_expired', 'expired');
  assert.equal(asStreamError(ours), ours);
  const fault = new TypeError('x is not a function');
  const wrapped = asStreamError(fault);
  assert.deepEqual(
    [wrapped.code, wrapped.message, wrapped.cause, wrapped.retryable],
    ['unexpected', fault.message, fault, false],
  );
  assert.equal(asStreamError('odd').code, 'unexpected');
});

it('has one code for a lost media path and another for a server that does not answer', () => {
  assert.equal(new UnreachableError('no answer').code, 'unreachable');
  assert.equal(new UnreachableError('no way through', 'media_lost').code, 'media_lost');
});

it('has a page for every code of RefusalCode', () => {
  const source = readFileSync(new URL('../../src/client/errors.ts', import.meta.url), 'utf8');
  const union = /export type ServerRefusalCode =([^;]+);/.exec(source)![1]!;
  const codes: string[] = [
    ...ruleRefusalCode.options,
    ...stopCode.options,
    ...[...union.matchAll(/'(\w+)'/g)].map(([, code]) => code!),
  ];
  assert.ok(codes.length > 20);
  assert.deepEqual(
    codes.filter((code) => !existsSync(new URL(`../../docs/errors/${code}.md`, import.meta.url))),
    [],
  );
});
