import * as z from 'zod/mini';
import { parseJson } from '../../bounded-json.js';

/** An SDP description beside a message (JSEP). */
export interface Jsep {
  readonly type: 'offer' | 'answer';
  readonly sdp: string;
}

/** The data of a plugin's answer or event. */
export type PluginData = Readonly<Record<string, unknown>>;

/** A message of Janus. `handle` is the id of a plugin handle. */
export type JanusMessage =
  /** The whole answer to a keepalive. If a plugin accepted a request, an event with the same transaction follows. */
  | { readonly name: 'ack'; readonly transaction: string }
  | {
      readonly name: 'success';
      readonly transaction: string;
      readonly id: number | undefined;
      readonly data: PluginData;
    }
  | { readonly name: 'error'; readonly transaction: string; readonly code: number; readonly reason: string }
  | {
      readonly name: 'event';
      readonly handle: number;
      /** Undefined: nobody asked for it. */
      readonly transaction: string | undefined;
      readonly data: PluginData;
      readonly jsep: Jsep | undefined;
    }
  /** The peer is connected. */
  | { readonly name: 'webrtcup'; readonly handle: number }
  /** Media of one m-line arrives, or no longer. */
  | { readonly name: 'media'; readonly handle: number; readonly kind: string; readonly isReceiving: boolean }
  /** The peer is gone. */
  | { readonly name: 'hangup'; readonly handle: number; readonly reason: string }
  /** Janus ended the session and all its handles. */
  | { readonly name: 'timeout' }
  /** Not used here, such as `slowlink`. */
  | { readonly name: 'other' };

const OTHER: JanusMessage = { name: 'other' };

const pluginData = z.object({ data: z.record(z.string(), z.unknown()) });
const jsep = z.object({ type: z.enum(['offer', 'answer']), sdp: z.string() });
const message = z.object({
  janus: z.string(),
  transaction: z.optional(z.string()),
  sender: z.optional(z.number()),
  data: z.optional(z.object({ id: z.optional(z.number()) })),
  error: z.optional(z.object({ code: z.number(), reason: z.string() })),
  plugindata: z.optional(pluginData),
  jsep: z.optional(jsep),
  type: z.optional(z.string()),
  receiving: z.optional(z.boolean()),
  reason: z.optional(z.string()),
});

/** A frame of the websocket. What cannot be read is `other`. */
export function readJanusMessage(frame: string): JanusMessage {
  const read = z.safeParse(message, jsonOf(frame));
  if (!read.success) return OTHER;
  const { janus, transaction, sender: handle, plugindata, error, reason = '' } = read.data;
  const data = plugindata?.data ?? {};
  if (janus === 'ack' && transaction !== undefined) return { name: 'ack', transaction };
  if (janus === 'timeout') return { name: 'timeout' };
  if (janus === 'success' && transaction !== undefined) {
    return { name: 'success', transaction, id: read.data.data?.id, data };
  }
  if (janus === 'error' && transaction !== undefined && error) return { name: 'error', transaction, ...error };
  if (handle === undefined) return OTHER;
  switch (janus) {
    case 'event':
      return { name: 'event', handle, transaction, data, jsep: read.data.jsep };
    case 'webrtcup':
      return { name: 'webrtcup', handle };
    case 'hangup':
      return { name: 'hangup', handle, reason };
    case 'media':
      return { name: 'media', handle, kind: read.data.type ?? '', isReceiving: read.data.receiving ?? false };
    default:
      return OTHER;
  }
}

function jsonOf(frame: string): unknown {
  try {
    return parseJson(frame);
  } catch {
    return undefined;
  }
}
