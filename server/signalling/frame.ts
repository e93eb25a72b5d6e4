import { parseJson, TooMuchJsonError } from '../bounded-json.js';

/** A command of a client. Later clients may send further fields. */
export interface Command {
  readonly type: 'cmd';
  /** Absent from the `unpublish` of some native clients. */
  readonly transId?: number | undefined;
  readonly name: string;
  readonly data?: unknown;
}

export type ParsedFrame =
  | { readonly ok: true; readonly command: Command }
  | { readonly ok: false; readonly transId: number | null; readonly message: string };

/** A command was refused. The code is stable; the message is for the user of the client. */
export class SignallingError extends Error {
  override name = 'SignallingError';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Parses a text frame of a client. */
export function parseFrame(text: string): ParsedFrame {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    const message =
      error instanceof TooMuchJsonError ? 'the frame has too many values or levels' : 'the frame is not JSON';
    return { ok: false, transId: null, message };
  }
  if (isCommand(json)) return { ok: true, command: json };
  return {
    ok: false,
    transId: transIdOf(json),
    message: 'the frame is not a command: {"type":"cmd","transId":0,"name":"…","data":{…}}',
  };
}

/** No schema, because a thousand reports of viewers may arrive in a second. */
function isCommand(json: unknown): json is Command {
  if (typeof json !== 'object' || json === null) return false;
  const { type, name, transId }: Readonly<Partial<Record<keyof Command, unknown>>> = json;
  return type === 'cmd' && typeof name === 'string' && (transId === undefined || typeof transId === 'number');
}

function transIdOf(json: unknown): number | null {
  const transId = typeof json === 'object' && json !== null && 'transId' in json ? json.transId : null;
  return typeof transId === 'number' ? transId : null;
}

export function responseFrame(transId: number | null, data: object): string {
  return JSON.stringify({ type: 'response', transId, data });
}

/** `data` is the message, because native clients read a string there. The code is beside `data`. */
export function errorFrame(transId: number | null, code: string, message: string): string {
  return JSON.stringify({ type: 'error', transId, data: message, code });
}

/** `seq` is beside `data`, so clients that do not know it ignore it. */
export function eventFrame(name: string, seq: number, data: object): string {
  return JSON.stringify({ type: 'event', name, seq, data });
}
