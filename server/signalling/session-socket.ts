import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { catchErrors } from '../catch-errors.js';
import { MediaError } from '../media/media-engine.js';
import type { PublisherSession } from '../sessions/publisher-session.js';
import { SessionError } from '../sessions/session-error.js';
import { stopNotice } from '../sessions/stop-notice.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import { CommandRateLimit } from './command-rate-limit.js';
import type { SignallingConnection } from './signalling-connection.js';
import { executeCommand, type CommandResult } from './commands.js';
import { errorFrame, parseFrame, responseFrame, type Command } from './frame.js';
import { keepAlive } from './heartbeat.js';
import { publisherCommands } from './publisher-commands.js';
import { SignallingError } from './signalling-error.js';
import { viewerCommands } from './viewer-commands.js';

/** Whoever opened a websocket says within this time what for, or it is closed. */
const BEGIN_WITHIN_MS = 30_000;
/**
 * Closed against somebody's wish: by a page that goes away, by a connection that breaks, by us when the media was lost,
 * and by our own client where it is about to open another (4000). Clients that are done say 1000, or nothing
 * (RFC 6455 7.4.1).
 */
const LOST: ReadonlySet<number> = new Set([
  1001,
  1006,
  4000,
  stopNotice.transport_lost.closeCode,
  stopNotice.media_engine_restarted.closeCode,
]);

export interface SessionSocketOptions {
  readonly session: PublisherSession | ViewerSession;
  /** Its sending half of the socket. */
  readonly channel: SignallingConnection;
  /** What the client may come back with. */
  readonly resumeToken: () => string;
  readonly log: Logger;
}

/**
 * Carries out what a client asks of its session, for as long as its socket is open; with it the session ends, or is
 * lost.
 * @returns what takes a frame of the client's, as those that come by themselves
 */
export function serveSession(
  socket: WebSocket,
  { session, channel, resumeToken, log }: SessionSocketOptions,
): (frame: string) => void {
  keepAlive(socket);
  const onFault = (err: unknown): void => {
    log.error({ session: session.id, err }, 'a websocket could not be served');
    socket.terminate();
  };
  const stopIdle = catchErrors(onFault, () => {
    if (!session.mediaRequested) session.stop('idle');
  });
  const deadline = setTimeout(stopIdle, BEGIN_WITHIN_MS).unref();

  const commands =
    session.role === 'Publish'
      ? publisherCommands(session, channel, resumeToken)
      : viewerCommands(session, channel, resumeToken);
  const allowance = new CommandRateLimit(performance.now());
  const onFailedCommand = (err: unknown) => log.error({ session: session.id, err }, 'a command failed');
  const receive = (frame: string): void => {
    const asked = allowance.take(performance.now());
    if (asked === 'exhausted') return socket.close(1008, 'too_many_commands');
    const carry = asked === 'granted' ? (command: Command) => executeCommand(commands, command) : tooMany;
    void answer(channel, frame, carry, onFailedCommand).catch(onFault);
  };

  socket.on(
    'message',
    catchErrors(onFault, (data, isBinary) => receive(isBinary ? '' : data.toString())),
  );
  socket.on(
    'close',
    catchErrors(onFault, (closeCode) => {
      clearTimeout(deadline);
      log.debug({ session: session.id, closeCode }, 'websocket closed');
      if (LOST.has(closeCode)) session.connectionLost();
      else session.end();
    }),
  );
  return receive;
}

/** Every command is answered: clients wait without a limit (wire-facts 0.6). */
async function answer(
  channel: SignallingConnection,
  frame: string,
  carry: (command: Command) => Promise<CommandResult>,
  onFault: (error: unknown) => void,
): Promise<void> {
  const reading = parseFrame(frame);
  if (!reading.ok) return channel.sendFrame(errorFrame(reading.transId, 'invalid_frame', reading.message));

  const transId = reading.command.transId ?? null;
  try {
    const { data, afterReply } = await carry(reading.command);
    channel.sendFrame(responseFrame(transId, data));
    afterReply?.();
  } catch (error) {
    if (error instanceof SignallingError || error instanceof SessionError || error instanceof MediaError) {
      return channel.sendFrame(errorFrame(transId, error.code, error.message));
    }
    onFault(error);
    channel.sendFrame(errorFrame(transId, 'internal', 'something went wrong here; the server log tells more'));
  }
}

async function tooMany(): Promise<CommandResult> {
  throw new SignallingError('too_many_commands', 'too many commands in too short a time; this one was not carried out');
}
