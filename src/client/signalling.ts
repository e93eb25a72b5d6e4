import { serverMessage } from '../wire/signal.js';
import { RejectedError, UnreachableError, type StreamError } from './errors.js';

const ANSWER_WITHIN_MS = 15_000;
/** What the service says when it is itself in the way: the same request can succeed in a moment. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  'transport_lost',
  'media_engine_restarted',
  'server_stopping',
  'engine_unavailable',
  'internal',
]);

export interface SignallingOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (name: string, data: unknown) => void;
  /** The socket closed, and not because `signal` aborted. */
  readonly onLost: (error: StreamError) => void;
}

/** The commands that an open websocket takes (wire-facts 3.1). */
export interface Signalling {
  /**
   * @throws {RejectedError} the service said no
   * @throws {UnreachableError} the socket closed, or no answer in time
   */
  command(name: string, data: object): Promise<unknown>;
}

/** The service's no on the websocket, or its word for ending a session. */
export function signalledError(code: string | undefined, message: unknown): RejectedError {
  return new RejectedError(code ?? 'refused', typeof message === 'string' ? message : 'The service ended the session', {
    retryable: code !== undefined && PASSING_CODES.has(code),
  });
}

/**
 * Opens the websocket of a grant. Aborting `signal` closes it.
 *
 * @throws {UnreachableError} it does not open. Browsers tell no reason, not even a refused grant.
 */
export async function openSignalling(
  url: string,
  jwt: string,
  { signal, onEvent, onLost }: SignallingOptions,
): Promise<Signalling> {
  signal.throwIfAborted();
  const socket = new WebSocket(`${url}?token=${jwt}`);
  const pending = new Map<number, { resolve: (data: unknown) => void; reject: (error: StreamError) => void }>();
  let opened = false;
  let lastId = -1;

  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.close(), ANSWER_WITHIN_MS);
    signal.addEventListener('abort', () => socket.close(), { once: true });
    socket.addEventListener('open', () => {
      opened = true;
      clearTimeout(timer);
      resolve();
    });
    socket.addEventListener('close', () => {
      clearTimeout(timer);
      const error = new UnreachableError('The connection to the streaming service is lost');
      reject(error);
      for (const { reject: rejectCommand } of pending.values()) rejectCommand(error);
      pending.clear();
      if (opened && !signal.aborted) onLost(error);
    });
    socket.addEventListener('message', ({ data }: MessageEvent) => receive(data));
  });

  /** What this client cannot read is not for it. */
  function receive(frame: unknown): void {
    const message = serverMessage.safeParse(parsed(frame));
    if (!message.success || signal.aborted) return;
    const { data } = message;
    if (data.type === 'event') return onEvent(data.name, data.data);
    const command = pending.get(data.transId ?? -1);
    pending.delete(data.transId ?? -1);
    if (data.type === 'error') command?.reject(signalledError(data.code, data.data));
    else command?.resolve(data.data);
  }

  return {
    command: (name, data) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== socket.OPEN) {
          reject(new UnreachableError('The connection to the streaming service is lost'));
          return;
        }
        const transId = ++lastId;
        const timer = setTimeout(
          () => settle(reject, new UnreachableError(`The streaming service did not answer "${name}"`)),
          ANSWER_WITHIN_MS,
        );
        function settle<Value>(how: (value: Value) => void, value: Value): void {
          clearTimeout(timer);
          pending.delete(transId);
          how(value);
        }
        pending.set(transId, {
          resolve: (answer) => settle(resolve, answer),
          reject: (error) => settle(reject, error),
        });
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
