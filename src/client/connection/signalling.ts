import { RejectedError, UnreachableError, type StreamError } from '../errors.js';
import { field, number, text } from '../decode.js';
import { isTemporary } from './reconnect-policy.js';

/** Abort with this for good. After any other end, whoever was here comes back: the name is kept for a broadcaster. */
export const LEAVING = Symbol('goodbye');
/** The close code of those who come back (private range, RFC 6455 7.4.2). */
const COMING_BACK = 4000;

export interface SignallingOptions {
  /** Aborting it closes the socket. */
  readonly signal: AbortSignal;
  /** The last command of who leaves for good. */
  readonly farewell?: string | undefined;
  /** How long it may take to open, in milliseconds. */
  readonly withinMs?: number;
  readonly onEvent: (name: string, data: unknown) => void;
  /** The open socket closed. Browsers tell no reason. */
  readonly onLost: (error: StreamError) => void;
}

/** An open websocket (wire-facts 3.1). */
export interface SignallingConnection {
  /** Answers what the server does; for ever pending once the socket is lost. @throws {RejectedError} it said no */
  command(name: string, data: object): Promise<unknown>;
}

/** The service's no on the websocket, or its word for ending a session. */
export function endedError(code = 'refused', message?: unknown): RejectedError {
  return new RejectedError(code, typeof message === 'string' ? message : 'The service ended the session', {
    retryable: isTemporary(code),
  });
}

/** Opens a websocket: pending until it is open. @throws {UnreachableError} it never was; a refused grant looks the same */
export async function openSignalling(
  url: string,
  { signal, farewell, withinMs = 15_000, onEvent, onLost }: SignallingOptions,
): Promise<SignallingConnection> {
  // Nobody would close it.
  signal.throwIfAborted();
  const socket = new WebSocket(url);
  const pending: { resolve: (data: unknown) => void; reject: (error: StreamError) => void }[] = [];
  let seen = -Infinity;

  const send = (transId: number, name: string, data?: object): void =>
    socket.send(JSON.stringify({ type: 'cmd', transId, name, data }));
  signal.addEventListener(
    'abort',
    () => {
      if (signal.reason !== LEAVING) return socket.close(COMING_BACK);
      if (farewell && socket.readyState === 1) send(pending.length, farewell);
      socket.close();
    },
    { once: true },
  );
  const opened = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => socket.close(), withinMs);
    // Lost before it is open, it is told of here alone.
    let lost: (error: StreamError) => void = reject;
    socket.addEventListener('open', () => {
      clearTimeout(late);
      lost = onLost;
      resolve();
    });
    socket.addEventListener('close', () => {
      clearTimeout(late);
      lost(new UnreachableError('The connection to the streaming service is lost'));
    });
  });
  socket.addEventListener('message', ({ data: frame }: MessageEvent<unknown>) => {
    // What this client cannot read is not for it.
    const message = parsed(frame);
    const type = text(message, 'type');
    if (!type || signal.aborted) return;
    const data = field(message, 'data');
    if (type === 'event') {
      // Of what happened to a stream the newest is true, in whatever order it comes.
      const seq = number(message, 'seq') ?? seen;
      if (seq < seen) return;
      seen = seq;
      return onEvent(text(message, 'name') ?? '', data);
    }
    const command = pending[number(message, 'transId') ?? -1];
    if (type === 'response') command?.resolve(data);
    else if (type === 'error') command?.reject(endedError(text(message, 'code'), data));
  });
  await opened;

  return {
    command: (name, data) => new Promise((resolve, reject) => send(pending.push({ resolve, reject }) - 1, name, data)),
  };
}

function parsed(frame: unknown): unknown {
  try {
    return JSON.parse(String(frame));
  } catch {
    return undefined;
  }
}
