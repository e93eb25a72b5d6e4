import type { Session } from '../sessions/session.js';
import { renewData } from './command-data.js';
import type { Command } from './frame.js';
import { parseCommandData } from './read-data.js';
import { SignallingError } from './signalling-error.js';

export interface CommandResult {
  readonly data: object;
  /** What comes once the client has the answer. */
  readonly afterReply?: () => void;
}

type Handle = (command: Command) => Promise<CommandResult> | CommandResult;

/** What a client may ask of its session, by the name of the command. Each answers or throws. */
export type CommandHandlers = Readonly<Record<string, Handle>>;

/** @throws {SignallingError} `unknown_command`; and what the command throws */
export async function executeCommand(commands: CommandHandlers, command: Command): Promise<CommandResult> {
  const { name } = command;
  const handle = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (handle) return handle(command);
  const known = Object.keys(commands).join(', ');
  throw new SignallingError('unknown_command', `there is no command "${name.slice(0, 64)}" here; known: ${known}`);
}

/** Ours: moves the media to another network path, for either role. Data and answer are `{sdp}`. */
export function renew(session: Pick<Session, 'renew'>): Handle {
  return async (command) => {
    const { sdp } = parseCommandData(renewData, command);
    return { data: { sdp: await session.renew(sdp) } };
  };
}
