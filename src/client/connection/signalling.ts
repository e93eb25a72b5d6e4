import type { ServerMessage } from '../../wire/websocket/server-message.js';
import type { Grant } from '../authorization/director.js';
import { RejectedError, UnreachableError, type RefusalCode, type StreamError } from '../errors.js';
import { field, number, text, type Unread } from '../unread.js';
import { isTemporary } from './reconnect-policy.js';

/**
 * The abort reason for a session that ends for good. After any other reason, the server keeps the source of a publisher
 * for the lease, so that the client can resume.
 */
export const LEAVING = Symbol('leaving');
/** The close code of a client that will resume (private range, RFC 6455 7.4.2). */
const WILL_RESUME = 4000;

export interface SignallingOptions {
  /** Closes the socket when it aborts. */
  readonly signal: AbortSignal;
  /** The commands to send before the socket is closed for good. */
  readonly lastCommands?: (() => readonly (readonly [name: string, data?: object])[]) | undefined;
  /** Time limit for the socket to open, in milliseconds. Absent: 15,000. */
  readonly timeoutMs?: number;
  readonly onEvent: (name: string, data: unknown) => void;
  /** Called when the open socket closes. Browsers give no reason. */
  readonly onLost: (error: StreamError) => void;
}

/** An open websocket. */
export interface SignallingConnection {
  /**
   * Sends a command and returns the data of its answer. Stays pending when the socket is lost.
   *
   * @param isAnswered false: the server sends no answer, and the promise stays pending
   * @throws {RejectedError} the server refused the command
   */
  command(name: string, data: object, isAnswered?: boolean): Promise<unknown>;
}

/** The error for a refused command, and for a session that the server ended. */
export function endedError(code = 'refused', message = 'The server ended the session'): RejectedError {
  return new RejectedError(code as RefusalCode, message, { retryable: isTemporary(code) });
}

/**
 * Opens a websocket.
 *
 * @throws {UnreachableError} it did not open. A refused grant causes the same error.
 */
export async function openSignalling(
  url: string,
  { signal, lastCommands, timeoutMs = 15_000, onEvent, onLost }: SignallingOptions,
): Promise<SignallingConnection> {
  // With an aborted signal, nothing would close the socket.
  signal.throwIfAborted();
  const socket = new WebSocket(url);
  const pending: { resolve: (data: unknown) => void; reject: (error: StreamError) => void }[] = [];
  let lastSeq = -Infinity;

  const send = (transId: number | undefined, name: string, data?: object): void =>
    socket.send(JSON.stringify({ type: 'cmd', transId, name, data }));
  signal.addEventListener('abort', () => {
    if (signal.reason !== LEAVING) return socket.close(WILL_RESUME);
    if (socket.readyState === 1) lastCommands?.().forEach((command) => send(pending.length, ...command));
    socket.close();
  });
  const opened = new Promise<void>((resolve, reject) => {
    const timeout = setTimeout(() => socket.close(), timeoutMs);
    let closed: (error: StreamError) => void = reject;
    socket.addEventListener('open', () => {
      clearTimeout(timeout);
      closed = onLost;
      resolve();
    });
    socket.addEventListener('close', () => {
      clearTimeout(timeout);
      closed(new UnreachableError('The connection is lost'));
    });
  });
  socket.addEventListener('message', ({ data: frame }: MessageEvent<unknown>) => {
    const message = parseJson(frame) as Unread<ServerMessage>;
    const type = text(message, 'type');
    if (signal.aborted) return;
    const data = field(message, 'data');
    if (type === 'event') {
      // Events of a stream may arrive out of order, and only the newest is valid.
      const seq = number(message, 'seq') ?? lastSeq;
      if (seq < lastSeq) return;
      lastSeq = seq;
      return onEvent(text(message, 'name') ?? '', data);
    }
    const command = pending[number(message, 'transId') ?? -1];
    if (type === 'response') command?.resolve(data);
    else if (type === 'error') {
      command?.reject(endedError(text(message, 'code'), typeof data === 'string' ? data : undefined));
    }
  });
  await opened;

  return {
    command: (name, data, isAnswered = true) =>
      new Promise((resolve, reject) =>
        send(isAnswered ? pending.push({ resolve, reject }) - 1 : undefined, name, data),
      ),
  };
}

/**
 * Opens a websocket at the first address of a grant that answers, in the director's order. The addresses share
 * `timeoutMs`.
 *
 * @throws {UnreachableError} none answers
 */
export async function openFirstSignalling(
  { urls, jwt }: Grant,
  { timeoutMs, ...options }: SignallingOptions & { readonly timeoutMs: number },
): Promise<SignallingConnection> {
  let thrown: unknown;
  for (const url of urls) {
    try {
      return await openSignalling(`${url}?token=${jwt}`, { ...options, timeoutMs: timeoutMs / urls.length });
    } catch (error) {
      thrown = error;
    }
  }
  throw thrown;
}

function parseJson(frame: unknown): unknown {
  try {
    return JSON.parse(String(frame));
  } catch {
    return undefined;
  }
}
