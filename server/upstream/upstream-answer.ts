import { MediaError } from '../media/engine/media-error.js';

/** An answer of an upstream to an offer, as far as it is read. */
export interface OfferAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export type OfferOutcome =
  | { readonly name: 'answered'; readonly sdp: string; readonly location: URL }
  /** The endpoint has the offer sent elsewhere (RFC 9725 section 4.5). */
  | { readonly name: 'redirected'; readonly to: URL }
  /** Only of viewers: the stream is not live there. */
  | { readonly name: 'not_live' }
  | { readonly name: 'failed'; readonly error: MediaError };

/** What the answer to an offer means, by WHIP (RFC 9725) or WHEP (draft-ietf-wish-whep). */
export function readOfferAnswer(
  call: 'publish' | 'view',
  url: URL,
  { status, headers, body }: OfferAnswer,
): OfferOutcome {
  const location = locationOf(headers['location'], url);
  switch (status) {
    // SRS and others answered 200 before they followed the RFC.
    case 200:
    case 201:
      if (!body.startsWith('v=0')) return refused('its answer is no SDP');
      // Without the address the session could not be ended.
      return location ? { name: 'answered', sdp: body, location } : refused('its answer has no Location of a session');
    case 307:
    case 308:
      if (url.protocol === 'https:' && location?.protocol === 'http:')
        return refused('it redirects from https to http');
      return location ? { name: 'redirected', to: location } : refused('it redirects to no address that may be used');
    case 400:
    case 415:
    case 422:
      return failed('invalid_sdp', `the upstream refused the SDP offer (HTTP ${status})`);
    case 404:
      return call === 'view' ? { name: 'not_live' } : refused(`there is no WHIP endpoint (HTTP ${status})`);
    case 409:
      return call === 'view'
        ? { name: 'not_live' }
        : failed('stream_in_use', 'the upstream has another publisher under this stream name');
    case 401:
    case 403:
      return refused(`it does not accept the token of this server (HTTP ${status})`);
    default:
      if (status === 429 || status >= 500) {
        return failed('engine_unavailable', `the upstream cannot accept a session now (HTTP ${status})`);
      }
      return refused(`it answered with HTTP ${status}`);
  }
}

/** What the answer to the DELETE of a session means. `failed`: another attempt would end the same way. */
export function readRemovalStatus(status: number): 'removed' | 'retry' | 'failed' {
  // A session that the upstream does not know any more has ended.
  if ((status >= 200 && status < 300) || status === 404 || status === 410) return 'removed';
  return status === 408 || status === 429 || status >= 500 ? 'retry' : 'failed';
}

/** Undefined: there is none, or it leads from https to http. */
function locationOf(header: string | readonly string[] | undefined, url: URL): URL | undefined {
  if (typeof header !== 'string' || !URL.canParse(header, url.href)) return undefined;
  const location = new URL(header, url);
  const isSafe = location.protocol === 'https:' || (location.protocol === 'http:' && url.protocol === 'http:');
  return isSafe && location.username === '' && location.password === '' ? location : undefined;
}

function refused(reason: string): OfferOutcome {
  return failed('upstream_refused', `the upstream cannot be used: ${reason}`);
}

function failed(code: MediaError['code'], message: string): OfferOutcome {
  return { name: 'failed', error: new MediaError(code, message) };
}
