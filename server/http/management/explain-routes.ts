import { Router } from 'express';
import { explainRequest, type ExplainRequest, type Explanation } from '../../../src/wire/management/explain.js';
import type { AccessAttempt } from '../../admission/admission.js';
import { InvalidRequestError, denialMessage, NotFoundError } from '../../errors.js';
import type { AccessRequest } from '../../rules/access-request.js';
import { explain, publishingRules, viewingRules } from '../../rules/decide.js';
import { canonicalAddress } from '../../addresses/ip-address.js';
import type { TokenKind, TokenRecord } from '../../tokens/token-record.js';
import { success } from '../envelope.js';
import { accountIdOf } from './management-access.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { parseBody } from '../request/parse.js';

type Awaitable<Value> = Value | Promise<Value>;

export interface ExplainSource {
  /** The admission of a running server answers at once; what reads the database does not. */
  readonly admission: { requestFor(kind: TokenKind, application: AccessAttempt): Awaitable<AccessRequest> };
  readonly findToken: (id: number) => Awaitable<TokenRecord | undefined>;
}

/**
 * `POST /api/explain`, behind `managementAccess`: what the door would say to somebody now, rule by rule. It is asked
 * by the holder of the account only, and about his own tokens; who is refused at the door hears the first reason.
 */
export function explainRoutes({ admission, findToken }: ExplainSource): Router {
  const router = Router();
  router
    .route('/')
    .post(async (req, res) => {
      const accountId = accountIdOf(req);
      const asked = parseBody(explainRequest, req);
      const { kind, streamName, origin } = asked;
      const request = await admission.requestFor(kind, {
        token: await tokenOf(asked, accountId, findToken),
        accountId,
        streamName,
        origin,
        address: addressOf(asked),
      });
      const findings = explain(kind === 'publish' ? publishingRules : viewingRules, request);
      const rules = findings.map(({ rule, verdict, looked_at }) => ({
        rule,
        allowed: verdict.allowed,
        reason: verdict.allowed ? null : verdict.reason,
        looked_at,
      }));
      const reason = rules.find(({ allowed }) => !allowed)?.reason ?? null;
      const answer: Explanation = { allowed: reason === null, reason, message: reason && denialMessage(reason), rules };
      res.json(success(answer));
    })
    .all(methodNotAllowed('POST'));
  return router;
}

async function tokenOf(
  { token, tokenId }: ExplainRequest,
  accountId: string,
  findToken: ExplainSource['findToken'],
): Promise<string | undefined> {
  if (tokenId === undefined) return token;
  const found = await findToken(tokenId);
  if (found?.accountId === accountId) return found.token;
  throw new NotFoundError('token_not_found', `No token with id: ${tokenId}`);
}

function addressOf({ ip }: ExplainRequest): string {
  if (ip === undefined) return '';
  const address = canonicalAddress(ip);
  if (address !== undefined) return address;
  throw new InvalidRequestError({ ip: ['must be an IPv4 or IPv6 address'] });
}
