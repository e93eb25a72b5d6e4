import { MESSAGE_SOURCE, type FrameCommand, type FrameMessage } from '../../frame/frame-message.js';

type Refused = FrameMessage<'command-error'>;

const PLAIN: ReadonlySet<string> = new Set(['play', 'pause', 'mute', 'unmute', 'requestState']);

/** What the page around asks for, or what to answer it. Undefined: this is not for us, as most of what pages say. */
export function readFrameCommand(data: unknown): FrameCommand | Refused | undefined {
  if (typeof data !== 'object' || data === null || Reflect.get(data, 'source') !== MESSAGE_SOURCE) return undefined;
  const { type, volume } = data as { readonly type?: unknown; readonly volume?: unknown };
  if (typeof type !== 'string') return refused('', 'invalid_command', 'A command has a type, which is a word');
  if (PLAIN.has(type)) return { type } as FrameCommand;
  if (type !== 'setVolume') return refused(type, 'unknown_command', 'There is no such command');
  if (typeof volume === 'number' && volume >= 0 && volume <= 1) return { type, volume };
  return refused(type, 'invalid_command', 'volume is a number from 0 to 1');
}

/** @param command as it was asked for: it may be of any length */
export function refused(command: string, code: Refused['code'], message: string): Refused {
  return { source: MESSAGE_SOURCE, type: 'command-error', command: command.slice(0, 64), code, message };
}

/**
 * To which page things are told, and from which commands are taken: the one that `parentOrigin` names, else whoever
 * has this page in a frame. Undefined: it names what is no origin, so nobody.
 */
export function readParentOrigin({ searchParams }: URL): string | undefined {
  const named = searchParams.get('parentOrigin');
  if (named === null) return '*';
  const origin = URL.canParse(named) ? new URL(named).origin : 'null';
  return origin === 'null' ? undefined : origin;
}
