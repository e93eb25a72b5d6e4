import { MESSAGE_SOURCE, type FrameCommand, type FrameMessage } from '../../frame/frame-message.js';

type Refused = FrameMessage<'command-error'>;

const PLAIN: ReadonlySet<string> = new Set(['play', 'pause', 'mute', 'unmute', 'retry', 'requestState']);

/** The command in a message, or the answer if it is invalid. Undefined: the message is not for the player. */
export function readFrameCommand(data: unknown): FrameCommand | Refused | undefined {
  if (typeof data !== 'object' || data === null || Reflect.get(data, 'source') !== MESSAGE_SOURCE) return undefined;
  const { type, volume } = data as { readonly type?: unknown; readonly volume?: unknown };
  if (typeof type !== 'string') return refused('', 'invalid_command', 'The type of a command is a string');
  if (PLAIN.has(type)) return { type } as FrameCommand;
  if (type !== 'setVolume') return refused(type, 'unknown_command', 'There is no such command');
  if (typeof volume === 'number' && volume >= 0 && volume <= 1) return { type, volume };
  return refused(type, 'invalid_command', 'volume is a number from 0 to 1');
}

/** @param command the type in the message, of any length */
export function refused(command: string, code: Refused['code'], message: string): Refused {
  return { source: MESSAGE_SOURCE, type: 'command-error', command: command.slice(0, 64), code, message };
}

/**
 * The origin of the page that receives messages and may send commands: the value of `parentOrigin`, or `*` for any page
 * if that is absent. Undefined: `parentOrigin` is not an origin, so no page may.
 */
export function readParentOrigin({ searchParams }: URL): string | undefined {
  const named = searchParams.get('parentOrigin');
  if (named === null) return '*';
  const origin = URL.canParse(named) ? new URL(named).origin : 'null';
  return origin === 'null' ? undefined : origin;
}
