import type { ManagementClient } from '../../../management/management-client.js';
import type { TokenBody } from '../../../wire/management/token.js';

const DAY_S = 86_400;

/** How long a link for viewers can work, in seconds. Null: until somebody ends it. */
export const lifetimes = [DAY_S, 7 * DAY_S, 30 * DAY_S, null] as const;

export type Lifetime = (typeof lifetimes)[number];

/** What is offered first. */
export const USUAL_LIFETIME: Lifetime = 7 * DAY_S;

/** By the label a link is found again, in whatever language the next person speaks. */
const labelOf = (streamName: string): string => `Viewer link for ${streamName}`.slice(0, 128);

/** The newest link for viewers of a stream that was made here and works for everybody who has it. @throws {ManagementError} */
export async function findViewerLink(client: ManagementClient, streamName: string): Promise<TokenBody | undefined> {
  const { tokens } = await client.subscribeTokens.list({
    search: labelOf(streamName),
    state: 'active',
    sortBy: 'AddedOn',
    isDescending: true,
  });
  return tokens.find((token) => isViewerLink(token, streamName));
}

/** Creates a subscribe token for a link. @throws {ManagementError} */
export async function createViewerLink(
  client: ManagementClient,
  streamName: string,
  expires: Lifetime,
): Promise<TokenBody> {
  return await client.subscribeTokens.create({ label: labelOf(streamName), streams: [{ streamName }], expires });
}

/** Somebody may have edited the token since: then it is theirs, and no link for everybody. */
function isViewerLink(token: TokenBody, streamName: string): boolean {
  const { label, streams, fault, allowedOrigins, allowedIpAddresses, allowedCountries, deniedCountries } = token;
  const [stream, ...others] = streams;
  const lists = [others, allowedOrigins, allowedIpAddresses, allowedCountries, deniedCountries];
  return (
    !fault &&
    label === labelOf(streamName) &&
    stream?.streamName === streamName &&
    !stream.isRegex &&
    lists.every(({ length }) => length === 0) &&
    token.bindIpsOnUsage === 0 &&
    !token.maxSessions
  );
}
