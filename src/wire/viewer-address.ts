import { scheduledPath } from './scheduled-stream.js';
import { namesOf, streamId, streamIdOf, type StreamNames } from './stream-id.js';

/** The parameters in the URL of the hosted viewer. */
export interface ViewerAddress extends StreamNames {
  readonly token: string;
}

/** What a link or a code for viewers leads to. */
export interface ViewerPlace extends ViewerAddress {
  /** Whether viewers can go back: the stream is recorded. */
  readonly dvr?: boolean | undefined;
}

/** Undefined without `streamId=ACCOUNT/NAME`. A token in the fragment has precedence over one in the query. */
export function readViewerAddress(url: URL): ViewerAddress | undefined {
  // Published samples have a second `?` instead of an `&`, so that the token becomes part of the stream id.
  const [text = '', strayToken = ''] = (url.searchParams.get('streamId') ?? '').split('?token=');
  const id = streamId.safeParse(text).data;
  return id && { ...namesOf(id), token: tokenOf(url) || strayToken };
}

/** The token of a link. Empty: it has none. */
export function tokenOf(url: URL): string {
  return new URLSearchParams(url.hash.slice(1)).get('token') ?? url.searchParams.get('token') ?? '';
}

/** The same URL with the token in the fragment, which browsers do not send to servers. */
export function withTokenHidden(url: URL, token: string): string {
  const hidden = new URL(url);
  hidden.searchParams.delete('token');
  const streamId = hidden.searchParams.get('streamId')?.split('?token=')[0];
  if (streamId !== undefined) hidden.searchParams.set('streamId', streamId);
  hidden.hash = token ? new URLSearchParams({ token }).toString() : '';
  return hidden.href;
}

export function viewerLink(origin: string, { accountId, streamName, token, dvr }: ViewerPlace): string {
  const url = new URL('/viewer', origin);
  url.searchParams.set('streamId', streamIdOf(accountId, streamName));
  if (dvr) url.searchParams.set('dvr', 'true');
  return withTokenHidden(url, token);
}

/** Undefined: the path is not that of a scheduled stream. */
export function readScheduledAddress(url: URL): { readonly id: string; readonly token: string } | undefined {
  const id = /^\/scheduled\/([\w-]+)$/.exec(url.pathname)?.[1];
  return id === undefined ? undefined : { id, token: tokenOf(url) };
}

/** The page that announces a scheduled stream and becomes its player. */
export function scheduledLink(origin: string, id: string, token = ''): string {
  return withTokenHidden(new URL(scheduledPath(id), origin), token);
}
