import type { Session } from '../sessions/session.js';
import { renewData } from './command-data.js';
import type { Command } from './frame.js';
import { readData } from './read-data.js';
import { SignallingError } from './signalling-error.js';

export interface Answer {
  readonly data: object;
  /** What comes once the client has the answer. */
  readonly afterwards?: () => void;
}

type Handle = (command: Command) => Promise<Answer> | Answer;

/** What a client may ask of its session, by the name of the command. Each answers or throws. */
export type Commands = Readonly<Record<string, Handle>>;

/** @throws {SignallingError} `unknown_command`; and what the command throws */
export async function carryOut(commands: Commands, command: Command): Promise<Answer> {
  const { name } = command;
  const handle = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (handle) return handle(command);
  const known = Object.keys(commands).join(', ');
  throw new SignallingError('unknown_command', `there is no command "${name.slice(0, 64)}" here; known: ${known}`);
}

/** Ours: moves the media to another network path, for either role. Data and answer are `{sdp}`. */
export function renew(session: Pick<Session, 'renew'>): Handle {
  return async (command) => {
    const { sdp } = readData(renewData, command);
    return { data: { sdp: await session.renew(sdp) } };
  };
}
