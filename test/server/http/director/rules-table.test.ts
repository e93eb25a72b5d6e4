import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TokenKind } from '../../../../server/tokens/token-record.js';
import type { TokenFields } from '../../../../server/tokens/token-service.js';
import type { RuleRefusalCode } from '../../../../src/wire/director/refusal-code.js';
import { Cleanup } from '../../../support/cleanup.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../../support/stream-server.js';

/** A request. Default: stream `main` of account `main` with a token for it, from a page, over the loopback address. */
interface Asking {
  readonly call?: 'publish' | 'subscribe';
  readonly streamName?: string;
  readonly origin?: string;
  /** Further fields of the token. Null: no token is sent. */
  readonly token?: Partial<TokenFields> | null;
  readonly kind?: TokenKind;
  /** Sent instead of the value of the token. */
  readonly value?: string;
  readonly before?: (app: TestServer, id: number) => Promise<unknown> | void;
}

interface Row {
  readonly rule: string;
  readonly yes: Asking;
  readonly no: Asking;
  readonly refusal: readonly [status: number, code: RuleRefusalCode, message: string];
}

const switchedOff = (app: TestServer, id: number) =>
  app.server.tokens.update({ accountId: 'main', kind: 'subscribe' }, id, { isActive: false });
const later = (app: TestServer) => {
  app.clock.now += 60_000;
};

/** Another viewer watches with the token. */
const watching = async (app: TestServer, id: number) => {
  const { token } = await app.server.tokens.get({ accountId: 'main', kind: 'subscribe' }, id);
  await openSocket(await askDirector(app, 'subscribe', token));
};

const TABLE: readonly Row[] = [
  {
    rule: 'token-present-if-required',
    yes: { streamName: 'open', token: null },
    no: { streamName: 'closed', token: null },
    refusal: [401, 'token_missing', 'Unauthorized: Token required'],
  },
  {
    rule: 'token-known',
    yes: {},
    no: { value: 'ab'.repeat(32) },
    refusal: [401, 'token_unknown', 'Unauthorized: Invalid token'],
  },
  {
    rule: 'token-of-kind',
    yes: { call: 'publish', kind: 'publish' },
    no: { call: 'publish', kind: 'subscribe' },
    refusal: [401, 'token_wrong_kind', 'Unauthorized: Invalid token, it is of the other kind'],
  },
  {
    rule: 'token-active',
    yes: {},
    no: { before: switchedOff },
    refusal: [401, 'token_disabled', 'Unauthorized: Token disabled'],
  },
  {
    rule: 'token-not-expired',
    yes: { token: { expires: 61 }, before: later },
    no: { token: { expires: 60 }, before: later },
    refusal: [401, 'token_expired', 'Unauthorized: Token expired'],
  },
  {
    rule: 'stream-name-permitted, by name',
    yes: {},
    no: { streamName: 'Main' },
    refusal: [401, 'stream_not_permitted', 'Unauthorized: StreamName is not valid for token'],
  },
  {
    rule: 'stream-name-permitted, by pattern',
    yes: { token: { streams: [{ streamName: 'room-[0-9]', isRegex: true }] }, streamName: 'room-1' },
    no: { token: { streams: [{ streamName: 'room-[0-9]', isRegex: true }] }, streamName: 'room-12' },
    refusal: [401, 'stream_not_permitted', 'Unauthorized: StreamName is not valid for token'],
  },
  {
    rule: 'origin-allowed',
    yes: { token: { allowedOrigins: ['*.Example.com'] }, origin: 'https://a.b.example.com' },
    no: { token: { allowedOrigins: ['*.Example.com'] }, origin: 'https://example.com' },
    refusal: [401, 'origin_not_allowed', 'Unauthorized: Origin not allowed'],
  },
  {
    rule: 'origin-allowed, without an origin',
    yes: {},
    no: { token: { allowedOrigins: ['example.com'] } },
    refusal: [401, 'origin_not_allowed', 'Unauthorized: Origin not allowed'],
  },
  {
    rule: 'address-not-denied',
    yes: { token: { deniedIpAddresses: ['10.0.0.0/8', '::/0'] } },
    no: { token: { deniedIpAddresses: ['::ffff:127.0.0.0/104'] } },
    refusal: [401, 'address_denied', 'Unauthorized: IP Address denied'],
  },
  {
    rule: 'address-allowed',
    yes: { token: { allowedIpAddresses: ['::ffff:127.0.0.0/104'] } },
    no: { token: { allowedIpAddresses: ['10.0.0.0/8', '::/0'] } },
    refusal: [401, 'address_not_allowed', 'Unauthorized: IP Address not allowed'],
  },
  {
    rule: 'address-bound',
    yes: { token: { bindIpsOnUsage: 1 }, before: (app, id) => app.server.tokens.bindAddress(id, '127.0.0.1') },
    no: { token: { bindIpsOnUsage: 1 }, before: (app, id) => app.server.tokens.bindAddress(id, '192.0.2.1') },
    refusal: [401, 'address_not_bound', 'Unauthorized: IP Address not allowed, the token is bound to other addresses'],
  },
  {
    rule: 'session-free',
    yes: { token: { maxSessions: 2 }, before: watching },
    no: { token: { maxSessions: 1 }, before: watching },
    refusal: [409, 'token_full', 'the maximum number of viewers is watching with this token'],
  },
  {
    rule: 'stream-live-or-token',
    yes: { streamName: 'idle', token: { streams: [{ streamName: '.*', isRegex: true }] } },
    no: { streamName: 'idle', token: null },
    refusal: [400, 'stream_not_live', 'stream not being published'],
  },
  {
    rule: 'name-free',
    yes: { call: 'publish', kind: 'publish' },
    no: {
      call: 'publish',
      kind: 'publish',
      streamName: 'open',
      token: { streams: [{ streamName: 'open', isRegex: false }] },
    },
    refusal: [409, 'stream_in_use', 'stream name is in use'],
  },
];

describe('the rules at the director', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  before(async () => {
    app = await streamServer(cleanup);
    await goLive('open', false);
    await goLive('closed', true);
  });
  after(() => cleanup.run());

  async function goLive(streamName: string, subscribeRequiresAuth: boolean): Promise<void> {
    const token = await app.token('publish', { subscribeRequiresAuth, streams: [{ streamName, isRegex: false }] });
    const answer = await askDirector(app, 'publish', token, { streamName });
    const publisher = await openSocket(answer);
    await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    app.engine.sendFrame(`main/${streamName}`);
  }

  async function ask({ call = 'subscribe', streamName = 'main', kind = 'subscribe', ...asking }: Asking) {
    const streams = [{ streamName: 'main', isRegex: false }];
    const { id, token } = await app.server.tokens.create(
      { accountId: 'main', kind },
      { label: '', streams, ...asking.token },
    );
    await asking.before?.(app, id);
    const value = asking.token === null ? undefined : (asking.value ?? token);
    const response = await fetch(`${app.origin}/api/director/${call}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(value !== undefined && { authorization: `Bearer ${value}` }),
        ...(asking.origin !== undefined && { origin: asking.origin }),
      },
      body: JSON.stringify({ streamName, streamAccountId: 'main' }),
    });
    return {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      body: (await response.json()) as unknown,
    };
  }

  for (const { rule, yes, no, refusal } of TABLE) {
    it(`${rule} admits`, async () => {
      const { status, body } = await ask(yes);
      assert.equal(status, 200, JSON.stringify(body));
    });

    it(`${rule} refuses with ${refusal[1]}`, async () => {
      const [status, code, message] = refusal;
      const streamId = `main/${no.streamName ?? 'main'}`;
      const answer = await ask(no);
      const { requestId } = answer;
      const body = { status: 'fail', data: { streamId, message, code, requestId } };
      assert.deepEqual(answer, { status, requestId, body });
    });
  }
});
