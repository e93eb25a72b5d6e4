import { askDirector, openSocket, type TestClient } from '../../test/support/stream-server.js';
import { NoPictureError, RefusedError } from './misses.js';

interface Wanted {
  readonly streamName: string;
  /** The value of a token; undefined for a viewer without one. */
  readonly token?: string;
}

/**
 * The director's call and the websocket of a viewer.
 * @throws {RefusedError}
 * @throws {NoPictureError} nothing answers, or the answer breaks off
 */
export async function enter(origin: string, { streamName, token }: Wanted): Promise<TestClient> {
  const body = { streamName, streamAccountId: 'main' };
  const answer = await answered(askDirector({ origin }, 'subscribe', token, body));
  if (answer.status !== 200) throw new RefusedError(answer.body.data?.code ?? `status ${answer.status}`);
  return await answered(openSocket(answer));
}

/**
 * The command that makes a viewer of it.
 * @returns the SDP answer
 * @throws {RefusedError}
 * @throws {NoPictureError} the socket closes first
 */
export async function view(client: TestClient, streamName: string, sdp: string): Promise<string> {
  const { type, code, data } = await answered(client.command('view', { streamId: streamName, sdp }));
  if (type === 'error') throw new RefusedError(code ?? data);
  return data.sdp;
}

/** What breaks on the way to a server that has too much to do is counted, as a picture that does not come is. */
export async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (cause) {
    throw cause instanceof NoPictureError ? cause : new NoPictureError(String(cause), { cause });
  }
}
