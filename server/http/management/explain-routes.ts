import type { RequestHandler, Router } from 'express';
import type { ExplainRequest, Explanation } from '../../../src/wire/management/explain.js';
import { canonicalAddress } from '../../addresses/ip-address.js';
import type { AccessAttempt } from '../../admission/access-request-factory.js';
import { denialMessage, InvalidRequestError, NotFoundError } from '../../errors.js';
import type { AccessRequest } from '../../rules/access-request.js';
import { explain, rulesFor } from '../../rules/decide.js';
import type { TokenKind, TokenRecord } from '../../tokens/token-record.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { explainEndpoints } from '../endpoints/management-endpoints.js';
import { success } from '../endpoints/endpoint.js';

type Awaitable<Value> = Value | Promise<Value>;

/** What explanations are made from: the state of a running server, or the database. */
export interface ExplainSource {
  readonly admission: { requestFor(kind: TokenKind, attempt: AccessAttempt): Awaitable<AccessRequest> };
  readonly findToken: (id: number) => Awaitable<TokenRecord | undefined>;
}

/**
 * `POST /api/explain`: the verdict of every rule for a request. Only the owner of the account can call it, about their
 * own tokens. A caller who is refused for real learns the first reason only.
 */
export function explainRoutes({ admission, findToken }: ExplainSource, accountAccess: RequestHandler): Router {
  return endpointRouter(
    explainEndpoints,
    {
      async explain({ accountId, body }) {
        const { kind, streamName, origin, protocol } = body;
        const request = await admission.requestFor(kind, {
          token: await tokenValueOf(body, accountId, findToken),
          accountId,
          streamName,
          origin,
          address: addressOf(body),
          via: protocol,
        });
        return success(explanationOf(request));
      },
    },
    { accountAccess },
  );
}

function explanationOf(request: AccessRequest): Explanation {
  const findings = explain(rulesFor(request), request);
  const rules = findings.map(({ rule, verdict, applies, looked_at }) => ({
    rule,
    allowed: verdict.allowed,
    applies,
    reason: verdict.allowed ? null : verdict.reason,
    looked_at,
  }));
  const reason = rules.find(({ allowed }) => !allowed)?.reason ?? null;
  return { allowed: reason === null, reason, message: reason && denialMessage(reason), rules };
}

async function tokenValueOf(
  { token, tokenId }: ExplainRequest,
  accountId: string,
  findToken: ExplainSource['findToken'],
): Promise<string | undefined> {
  if (tokenId === undefined) return token;
  const found = await findToken(tokenId);
  if (found?.accountId === accountId) return found.token;
  throw new NotFoundError('token_not_found', `No token with id: ${tokenId}`);
}

/** Empty: an unknown address, which no list of addresses contains. */
function addressOf({ ip }: ExplainRequest): string {
  if (ip === undefined) return '';
  const address = canonicalAddress(ip);
  if (address !== undefined) return address;
  throw new InvalidRequestError({ ip: ['must be an IPv4 or IPv6 address'] });
}
