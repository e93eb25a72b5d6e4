import { withTokenHidden } from './viewer-address.js';

/** The address of the hosted broadcaster. @param address with the account, whose theme the page then has */
export function broadcasterLink(
  origin: string,
  { accountId, streamName, token }: { readonly accountId: string; readonly streamName: string; readonly token: string },
): string {
  const url = new URL('/broadcaster', origin);
  url.searchParams.set('streamName', streamName);
  url.searchParams.set('accountId', accountId);
  return withTokenHidden(url, token);
}
