import { readAmf0, type AmfObject, type AmfValue } from './amf0.js';
import type { RtmpFault } from './rtmp-fault.js';
import { MESSAGE_TYPE, type RtmpMessage } from './rtmp-message.js';

/** A command of an encoder (RTMP 1.0 section 7.2, and those of Flash Media Encoder). */
export type RtmpCommand =
  | { readonly name: 'connect'; readonly transactionId: number; readonly app: string; readonly tcUrl: string }
  | { readonly name: 'createStream'; readonly transactionId: number }
  | { readonly name: 'releaseStream' | 'FCPublish' | 'FCUnpublish'; readonly transactionId: number }
  | { readonly name: 'publish'; readonly transactionId: number; readonly streamKey: string }
  | { readonly name: 'deleteStream' | 'closeStream' | 'play' }
  /** A command that the server does not know. */
  | { readonly name: 'other'; readonly transactionId: number };

export type CommandReading =
  { readonly ok: true; readonly command: RtmpCommand } | { readonly ok: false; readonly fault: RtmpFault };

/** Reads a message of type `amf0Command`, or `amf3Command` with values of AMF0, as encoders send it. */
export function readCommand({ typeId, payload }: RtmpMessage): CommandReading {
  // A command of AMF3 begins with a byte 0 and continues as AMF0.
  const read = readAmf0(typeId === MESSAGE_TYPE.amf3Command ? payload.subarray(1) : payload);
  if (!read.ok) return read;
  const [name, transactionId = 0, object, argument] = read.values;
  if (typeof name !== 'string' || typeof transactionId !== 'number') return invalid('A command has no name or number');
  switch (name) {
    case 'connect': {
      if (!(object instanceof Map)) return invalid('connect has no object');
      const [app, tcUrl] = [textOf(object, 'app'), textOf(object, 'tcUrl')];
      return { ok: true, command: { name, transactionId, app, tcUrl } };
    }
    case 'publish':
      if (typeof argument !== 'string') return invalid('publish has no stream key');
      return { ok: true, command: { name, transactionId, streamKey: argument } };
    case 'createStream':
    case 'releaseStream':
    case 'FCPublish':
    case 'FCUnpublish':
      return { ok: true, command: { name, transactionId } };
    case 'deleteStream':
    case 'closeStream':
    case 'play':
      return { ok: true, command: { name } };
    case 'play2':
      return { ok: true, command: { name: 'play' } };
    default:
      return { ok: true, command: { name: 'other', transactionId } };
  }
}

function textOf(object: AmfObject, key: string): string {
  const value: AmfValue = object.get(key);
  return typeof value === 'string' ? value : '';
}

function invalid(message: string): CommandReading {
  return { ok: false, fault: { reason: 'command_invalid', message } };
}
