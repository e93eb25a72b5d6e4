import { sdpOffer } from './media/offer.js';
import type { TestServer } from './stream-server.js';
import { whenThereIsRoom } from './when-there-is-room.js';

export interface IngestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Ask {
  readonly token?: string | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** One request to a path or URL of the server. */
export async function askIngest({ origin }: Pick<TestServer, 'origin'>, path: string, ask: Ask): Promise<IngestAnswer> {
  const { token, method = 'POST', headers, body } = ask;
  const response = await fetch(new URL(path, origin), {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The POST of an encoder. */
export function whip(server: Pick<TestServer, 'origin'>, ask: Ask = {}, name = 'main'): Promise<IngestAnswer> {
  return askIngest(server, `/api/whip/${name}`, {
    body: sdpOffer({ direction: 'sendonly' }),
    ...ask,
    headers: { 'content-type': 'application/sdp', ...ask.headers },
  });
}

/** The POST of a player. */
export function whep(server: Pick<TestServer, 'origin'>, ask: Ask = {}, name = 'main/main'): Promise<IngestAnswer> {
  return askIngest(server, `/api/whep/${name}`, {
    body: sdpOffer(),
    ...ask,
    headers: { 'content-type': 'application/sdp', ...ask.headers },
  });
}

/** The URL of the session that was created. */
export function locationOf({ status, text, headers }: IngestAnswer): string {
  const location = headers.get('location');
  if (status !== 201 || !location) throw new Error(`no session: ${status} ${text}`);
  return location;
}

/**
 * The session of an encoder, as soon as the server has room for it.
 * @throws the server refused for another reason
 */
export async function whipSession(
  server: Pick<TestServer, 'origin'>,
  ask: Ask,
  name: string,
): Promise<{ readonly url: URL; readonly answer: string }> {
  return whenThereIsRoom(async () => {
    const answered = await whip(server, ask, name);
    return { url: new URL(locationOf(answered), server.origin), answer: answered.text };
  });
}

/** The status, code and text of a refusal. */
export function refusalOf({
  status,
  headers,
  text,
}: IngestAnswer): [status: number, code: string | null, text: string] {
  return [status, headers.get('streamgate-code'), text];
}
