import { askDirector, openSocket, type TestClient } from '../../test/support/stream-server.js';
import { NoPictureError, RefusedError } from './misses.js';

interface ViewRequest {
  readonly streamName: string;
  /** The value of a token; undefined for a viewer without one. */
  readonly token?: string;
}

/**
 * Makes the director's call of a viewer, and opens its websocket.
 * @throws {RefusedError}
 * @throws {NoPictureError} no answer, or an incomplete one
 */
export async function enter(origin: string, { streamName, token }: ViewRequest): Promise<TestClient> {
  const body = { streamName, streamAccountId: 'main' };
  const answer = await answered(askDirector({ origin }, 'subscribe', token, body));
  if (answer.status !== 200) throw new RefusedError(answer.body.data?.code ?? `status ${answer.status}`);
  return await answered(openSocket(answer));
}

/**
 * Sends the command `view`.
 * @returns the SDP answer
 * @throws {RefusedError}
 * @throws {NoPictureError} the socket closes first
 */
export async function view(client: TestClient, streamName: string, sdp: string): Promise<string> {
  const { type, code, data } = await answered(client.command('view', { streamId: streamName, sdp }));
  if (type === 'error') throw new RefusedError(code ?? data);
  return data.sdp;
}

/** Turns a connection error into a `NoPictureError`: an overloaded server may close connections or not answer. */
export async function answered<Answer>(pending: Promise<Answer>): Promise<Answer> {
  try {
    return await pending;
  } catch (cause) {
    throw cause instanceof NoPictureError ? cause : new NoPictureError(String(cause), { cause });
  }
}
