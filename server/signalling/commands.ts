import type { Session } from '../sessions/session.js';
import { parseCommandData, renewData } from './command-data.js';
import { SignallingError, type Command } from './frame.js';

export interface CommandResult {
  readonly data: object;
  /** Runs after the response was sent. */
  readonly afterReply?: () => void;
}

/** Undefined: the client wants no answer. */
type CommandHandler = (command: Command) => Promise<CommandResult> | CommandResult | undefined;

/** The handlers of a session's commands, by the name of the command. */
export type CommandHandlers = Readonly<Record<string, CommandHandler>>;

/** @throws {SignallingError} `unknown_command`, and whatever the handler throws */
export async function executeCommand(handlers: CommandHandlers, command: Command): Promise<CommandResult | undefined> {
  const { name } = command;
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (handler) return handler(command);
  const known = Object.keys(handlers).join(', ');
  throw new SignallingError('unknown_command', `there is no command "${name.slice(0, 64)}" here; known: ${known}`);
}

/** An extension of Streamgate, for both roles: a client asks whether the server still answers. */
export function ping(): CommandResult {
  return { data: {} };
}

/** An extension of Streamgate, for both roles: moves the media to another network path. Data and answer are `{sdp}`. */
export function renew(session: Pick<Session, 'renew'>): CommandHandler {
  return async (command) => {
    const { sdp } = parseCommandData(renewData, command);
    return { data: { sdp: await session.renew(sdp) } };
  };
}
