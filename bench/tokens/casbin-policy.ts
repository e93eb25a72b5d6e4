import { newEnforcer, newModelFromString } from 'casbin';
import type { AccessRequest } from '../../server/rules/access-request.js';
import type { TokenRecord } from '../../server/tokens/token-record.js';

/** The viewing rules as a casbin model: each token is one line of the policy, and the matcher compares it with a request. */
const MODEL = `
[request_definition]
r = token, kind, now, stream, origin, address
[policy_definition]
p = token, kind, expires, stream, origin, range
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.token == p.token && r.kind == p.kind && r.now < p.expires && r.stream == p.stream && onPage(r.origin, p.origin) && ipMatch(r.address, p.range)
`;

type RequestWithoutToken = Omit<AccessRequest, 'token'>;

/** The viewing rules decided by node-casbin. It compares a request with the lines of the policy one after the other. */
export async function casbinPolicy(
  tokens: readonly TokenRecord[],
): Promise<(value: string, request: RequestWithoutToken) => boolean> {
  const enforcer = await newEnforcer(newModelFromString(MODEL));
  await enforcer.addFunction('onPage', (origin: string, pattern: string) =>
    new URL(origin).hostname.endsWith(pattern.slice(1)),
  );
  await enforcer.addPolicies(
    tokens.map(({ token, kind, expiresOn, streams, allowedOrigins, allowedIpAddresses }) => [
      token,
      kind,
      String(expiresOn),
      streams[0]!.streamName,
      allowedOrigins[0]!,
      allowedIpAddresses[0]!,
    ]),
  );
  return (value, { kind, now, streamName, origin, address }) =>
    enforcer.enforceSync(value, kind, now, streamName, origin, address);
}
