import { serverMessage } from '../wire/signal.js';
import { RejectedError, UnreachableError, type StreamError } from './errors.js';

/** What the service says when it is itself in the way: the same request can succeed in a moment. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  'transport_lost',
  'media_engine_restarted',
  'server_stopping',
  'engine_unavailable',
  'internal',
]);

export interface SignallingOptions {
  /** Aborting it closes the socket. */
  readonly signal: AbortSignal;
  readonly onEvent: (name: string, data: unknown) => void;
  /** The socket closed or never opened. Browsers tell no reason, not even a refused grant. */
  readonly onLost: (error: StreamError) => void;
}

/** An open websocket (wire-facts 3.1). */
export interface Signalling {
  /** Answers what the server does; for ever pending once the socket is lost. @throws {RejectedError} it said no */
  command(name: string, data: object): Promise<unknown>;
}

/** The service's no on the websocket, or its word for ending a session. */
export function signalledError(code = 'refused', message?: unknown): RejectedError {
  return new RejectedError(code, typeof message === 'string' ? message : 'The service ended the session', {
    retryable: PASSING_CODES.has(code),
  });
}

/** Opens the websocket of a grant: pending until it is open. */
export async function openSignalling(
  url: string,
  jwt: string,
  { signal, onEvent, onLost }: SignallingOptions,
): Promise<Signalling> {
  const socket = new WebSocket(`${url}?token=${jwt}`);
  const pending: { resolve: (data: unknown) => void; reject: (error: StreamError) => void }[] = [];

  signal.addEventListener('abort', () => socket.close(), { once: true });
  socket.addEventListener('close', () =>
    onLost(new UnreachableError('The connection to the streaming service is lost')),
  );
  socket.addEventListener('message', ({ data: frame }: MessageEvent<unknown>) => {
    // What this client cannot read is not for it.
    const message = serverMessage.safeParse(parsed(frame)).data;
    if (!message || signal.aborted) return;
    const { type, transId, name, data, code } = message;
    const command = pending[Number(transId ?? -1)];
    if (type === 'event') onEvent(name ?? '', data);
    else if (type === 'response') command?.resolve(data);
    else if (type === 'error') command?.reject(signalledError(code, data));
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));

  return {
    command: (name, data) =>
      new Promise((resolve, reject) => {
        const transId = pending.push({ resolve, reject }) - 1;
        socket.send(JSON.stringify({ type: 'cmd', transId, name, data }));
      }),
  };
}

function parsed(frame: unknown): unknown {
  try {
    return JSON.parse(String(frame));
  } catch {
    return undefined;
  }
}
