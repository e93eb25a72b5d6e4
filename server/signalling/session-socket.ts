import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { DeviceClass } from '../../src/wire/management/session.js';
import { ApiError } from '../errors.js';
import { attempt, contain } from '../faults/contain.js';
import { after } from '../faults/timers.js';
import { MediaError } from '../media/engine/media-error.js';
import { RecordingError } from '../recording/recording-control.js';
import type { PublisherSession } from '../sessions/publisher-session.js';
import { SessionError } from '../sessions/session-error.js';
import type { SessionOutbox } from '../sessions/session-events.js';
import { stopNotice } from '../sessions/stop-notice.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import { CommandRateLimit } from './command-rate-limit.js';
import { executeCommand, type CommandResult } from './commands.js';
import { errorFrame, parseFrame, responseFrame, SignallingError, type Command } from './frame.js';
import { keepAlive } from './heartbeat.js';
import { publisherCommands } from './publisher-commands.js';
import type { PublisherRecording } from './recording-commands.js';
import type { SignallingConnection } from './signalling-connection.js';
import { viewerCommands, type RewindOfSession } from './viewer-commands.js';

/** A client that does not publish or view within this time is disconnected. */
const MEDIA_REQUEST_WITHIN_MS = 30_000;
/**
 * Close codes after which the client may resume: the page was left, the connection broke, the server closed it
 * because the media was lost, or our client opens another websocket (4000). A client that ends its session closes with
 * 1000 or without a code (RFC 6455 7.4.1).
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
  readonly outbox: SessionOutbox;
  readonly connection: SignallingConnection;
  /** A token with which the client can resume the session later. */
  readonly issueResumeToken: () => string;
  readonly device: DeviceClass;
  readonly recording: PublisherRecording;
  readonly rewindOf: RewindOfSession;
  /** Waits for the turn of a command with an offer. @throws {ApiError} `busy` */
  readonly turn: (bytes: number) => Promise<void> | undefined;
  readonly log: Logger;
}

/**
 * Executes the commands of a client while its websocket is open. The session ends, or is lost, when the websocket
 * closes.
 * @returns handles a frame that was read before
 */
export function serveSession(
  socket: WebSocket,
  { session, outbox, connection, issueResumeToken, device, recording, rewindOf, turn, log }: SessionSocketOptions,
): (frame: string) => void {
  keepAlive(socket);
  /** A fault of ours ends this websocket, and with it the session. */
  const containment = { of: { session: session.id }, onFault: () => socket.terminate() };
  const deadline = after('signalling', MEDIA_REQUEST_WITHIN_MS, () => {
    if (!session.mediaRequested) session.stop('idle');
  }).unref();

  const handlers =
    session.role === 'Publish'
      ? publisherCommands({ session, outbox, connection, recording, issueResumeToken })
      : viewerCommands({ session, outbox, connection, issueResumeToken, device, rewindOf });
  const rateLimit = new CommandRateLimit(performance.now());
  const onCommandError = (err: unknown) => log.error({ session: session.id, err }, 'a command failed');
  const handleFrame = (frame: string): void => {
    const taken = rateLimit.take(performance.now());
    if (taken === 'exhausted') return socket.close(1008, 'too_many_commands');
    const executeInTurn = async (command: Command) => {
      if (bringsSdp(command)) await turn(frame.length);
      return executeCommand(handlers, command);
    };
    const execute = taken === 'granted' ? executeInTurn : refuseTooManyCommands;
    attempt('signalling', () => answer(connection, frame, execute, onCommandError), containment);
  };

  socket.on(
    'message',
    contain('signalling', (data, isBinary) => handleFrame(isBinary ? '' : data.toString()), containment),
  );
  socket.on(
    'close',
    contain(
      'signalling',
      (closeCode) => {
        clearTimeout(deadline);
        log.debug({ session: session.id, closeCode }, 'websocket closed');
        if (LOST.has(closeCode)) session.connectionLost();
        else session.end();
      },
      containment,
    ),
  );
  return handleFrame;
}

/** Such a command costs as much as a call of the director with an offer. */
const bringsSdp = ({ data }: Command): boolean => typeof data === 'object' && data !== null && 'sdp' in data;

/** Answers every frame that waits for an answer: clients wait without a time limit. */
async function answer(
  connection: SignallingConnection,
  frame: string,
  execute: (command: Command) => Promise<CommandResult | undefined>,
  onError: (error: unknown) => void,
): Promise<void> {
  const parsed = parseFrame(frame);
  if (!parsed.ok) return connection.sendFrame(errorFrame(parsed.transId, 'invalid_frame', parsed.message));

  const transId = parsed.command.transId ?? null;
  try {
    const result = await execute(parsed.command);
    if (!result) return;
    connection.sendFrame(responseFrame(transId, result.data));
    result.afterReply?.();
  } catch (error) {
    if (isRefusal(error)) {
      return connection.sendFrame(errorFrame(transId, error.code, error.message));
    }
    onError(error);
    connection.sendFrame(errorFrame(transId, 'internal', 'something went wrong here; the server log has the details'));
  }
}

function isRefusal(error: unknown): error is ApiError | SignallingError | SessionError | MediaError | RecordingError {
  return [ApiError, SignallingError, SessionError, MediaError, RecordingError].some((kind) => error instanceof kind);
}

async function refuseTooManyCommands(): Promise<CommandResult> {
  throw new SignallingError('too_many_commands', 'too many commands in too short a time; this one was not executed');
}
