import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { RejectedError, StreamError, UnreachableError } from '../../../src/client/errors.js';
import {
  provideToken,
  type TokenContext,
  type TokenProvider,
} from '../../../src/client/authorization/token-provider.js';
import { renewInMs, TokenSource } from '../../../src/client/authorization/token-source.js';

const keynote = { role: 'subscribe', endpoint: 'https://live.test', streamName: 'keynote', accountId: 'acme' } as const;
const first: TokenContext = { ...keynote, reason: 'first' };
const expired = new RejectedError('token_expired', 'Unauthorized: Token expired');
const forever = new AbortController().signal;
/** Lets every settled promise run its handlers. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A page that returns one token after the other, and records the reasons of the calls. */
function page(...tokens: unknown[]) {
  const reasons: string[] = [];
  const provider = (async ({ reason }) => {
    reasons.push(reason);
    const token = tokens.length > 1 ? tokens.shift() : tokens[0];
    if (token instanceof Error) throw token;
    return token;
  }) as (context: TokenContext) => Promise<unknown>;
  return { reasons, provider: provider as TokenProvider };
}

describe('provideToken', () => {
  it('passes the context to the page', async () => {
    let seen: TokenContext | undefined;
    await provideToken(async (context) => {
      seen = context;
      return 'one';
    }, first);
    assert.deepEqual(seen, first);
  });

  it('calls the page once for all concurrent callers, and again later', async () => {
    const { provider, reasons } = page('one', 'two');
    const waiting = [provideToken(provider, first), provideToken(provider, { ...first, reason: 'expiring' })];
    assert.deepEqual(await Promise.all(waiting), ['one', 'one']);
    assert.equal(await provideToken(provider, first), 'two');
    assert.equal(reasons.length, 2);
  });

  for (const other of [{ role: 'publish' }, { streamName: 'encore' }, { accountId: 'umbrella' }] as const) {
    it(`calls the page for each ${Object.keys(other)[0]}`, async () => {
      const { provider } = page('one', 'two');
      const waiting = [provideToken(provider, first), provideToken(provider, { ...first, ...other })];
      assert.deepEqual(await Promise.all(waiting), ['one', 'two']);
    });
  }

  it('throws a retryable error without the message of the page', async () => {
    const cause = new Error('GET /token?secret=sesame');
    await assert.rejects(provideToken(page(cause).provider, first), (error: StreamError) => {
      assert.deepEqual([error.code, error.retryable, error.cause], ['token_unavailable', true, cause]);
      assert.doesNotMatch(error.message, /sesame/);
      return true;
    });
  });

  it('calls the page again after an error', async () => {
    const { provider } = page(new Error('offline'), 'one');
    await assert.rejects(provideToken(provider, first));
    assert.equal(await provideToken(provider, first), 'one');
  });

  it('passes on a StreamError of the page', async () => {
    const error = new StreamError('token_unavailable', 'Signed out');
    await assert.rejects(provideToken(page(error).provider, first), error);
  });

  it('throws where the page does not answer in time', async () => {
    const provider = () => new Promise<string>(() => {});
    await assert.rejects(provideToken(provider, first, 1), { code: 'token_unavailable', retryable: true });
    await assert.rejects(provideToken(provider, first, 1), { code: 'token_unavailable' });
  });

  for (const none of [undefined, null, 42, { token: 'sesame' }]) {
    it(`throws for ${JSON.stringify(none)}, which is not a token`, async () => {
      await assert.rejects(provideToken(page(none).provider, first), { code: 'token_unavailable', retryable: false });
    });
  }
});

describe('TokenSource', () => {
  it('returns the given token where there is no provider', async () => {
    const source = new TokenSource(keynote, 'sesame', undefined);
    assert.equal(await source.current(), 'sesame');
    assert.equal(source.canReplace(expired), false);
    assert.equal(await new TokenSource(keynote, undefined, undefined).current(), undefined);
  });

  it('calls the provider where there is no token, and keeps the answer', async () => {
    const { provider, reasons } = page('one', 'two');
    const source = new TokenSource(keynote, undefined, provider);
    assert.deepEqual([await source.current(), await source.current()], ['one', 'one']);
    assert.deepEqual(reasons, ['first']);
  });

  it('replaces a given token that the server refused', async () => {
    const { provider, reasons } = page('new');
    const source = new TokenSource(keynote, 'old', provider);
    assert.equal(await source.current(), 'old');
    assert.equal(source.canReplace(expired), true);
    assert.equal(await source.current(), 'new');
    assert.deepEqual(reasons, ['token_expired']);
  });

  it('replaces a token that the server had accepted, and no other', async () => {
    const source = new TokenSource(keynote, undefined, page('one', 'two', 'three').provider);
    await source.current();
    assert.equal(source.canReplace(expired), false);
    source.accepted();
    assert.equal(source.canReplace(expired), true);
    assert.equal(await source.current(), 'two');
    assert.equal(source.canReplace(expired), false);
  });

  it('stops where the page returns the refused token again', async () => {
    const source = new TokenSource(keynote, 'old', page('old').provider);
    assert.equal(source.canReplace(expired), true);
    assert.equal(await source.current(), 'old');
    assert.equal(source.canReplace(expired), false);
  });

  for (const error of [
    new RejectedError('stream_not_live', 'stream not being published'),
    new RejectedError('origin_not_allowed', 'Unauthorized: Origin not allowed'),
    new RejectedError('address_not_allowed', 'Unauthorized: IP Address not allowed'),
    new UnreachableError('gone'),
    new Error('bug'),
  ]) {
    it(`keeps the token after ${error instanceof RejectedError ? error.reason : error.name}`, () => {
      assert.equal(new TokenSource(keynote, 'one', page('two').provider).canReplace(error), false);
    });
  }
});

describe('a token that expires', () => {
  const timers = (t: TestContext) => t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const now = () => Date.now();

  async function started(tokens: unknown[], expiresInMs: number) {
    const { provider, reasons } = page(...tokens);
    const source = new TokenSource(keynote, 'old', provider, now);
    await source.current();
    source.accepted(expiresInMs);
    return { source, reasons };
  }

  it('is replaced before it expires', async (t) => {
    timers(t);
    const { source, reasons } = await started(['new'], 60_000);
    let isFresh = false;
    source.renewBeforeExpiry(
      forever,
      () => (isFresh = true),
      () => 0,
    );
    t.mock.timers.tick(53_999);
    await settled();
    assert.deepEqual([reasons, isFresh], [[], false]);
    t.mock.timers.tick(1);
    await settled();
    assert.deepEqual([reasons, isFresh, await source.current()], [['expiring'], true, 'new']);
  });

  it('is kept if there is no provider, and a token that does not expire is always kept', (t) => {
    timers(t);
    const withoutProvider = new TokenSource(keynote, 'old', undefined, now);
    withoutProvider.accepted(1_000);
    const withoutExpiry = new TokenSource(keynote, 'old', page('new').provider, now);
    withoutExpiry.accepted();
    for (const source of [withoutProvider, withoutExpiry])
      source.renewBeforeExpiry(forever, () => assert.fail('it was replaced'));
    t.mock.timers.tick(1_000_000);
  });

  it('is requested again while the page fails or returns the same token, until it has expired', async (t) => {
    timers(t);
    const { source, reasons } = await started([new Error('offline'), 'old'], 60_000);
    source.renewBeforeExpiry(forever, () => assert.fail('it was not replaced'));
    for (let second = 0; second < 120; second++) {
      t.mock.timers.tick(1_000);
      await settled();
    }
    assert.ok(reasons.length > 1 && reasons.length < 15, `${reasons.length} requests`);
    assert.equal(source.canReplace(expired), true);
  });

  it('is not requested after the session', async (t) => {
    timers(t);
    const { source, reasons } = await started(['new'], 60_000);
    const life = new AbortController();
    source.renewBeforeExpiry(life.signal, () => assert.fail('the session is over'));
    life.abort();
    t.mock.timers.tick(120_000);
    await settled();
    assert.deepEqual(reasons, []);
  });

  it('is requested before it expires, after half of its lifetime unless that is short, and never without a wait', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 42 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (leftMs, chance) => {
          const waitMs = renewInMs(leftMs, () => chance);
          assert.ok(waitMs >= 1_000 && waitMs <= 2 ** 31 - 1);
          if (leftMs >= 2_000) assert.ok(waitMs < leftMs);
          if (leftMs >= 20_000) assert.ok(waitMs >= Math.min(leftMs / 2, 2 ** 31 - 1));
        },
      ),
    );
  });
});
