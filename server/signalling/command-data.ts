import * as z from 'zod/mini';
import { layerChoice } from '../../src/wire/websocket/layer-choice.js';
import { sourceId, text } from '../../src/wire/text.js';
import { sdp, wantedEvents } from '../../src/wire/websocket/view-request.js';
import { SignallingError, type Command } from './frame.js';

const source = z.optional(z.nullable(sourceId));

/** A mid. Some clients send it as a number. */
const mediaId = z.pipe(
  z.union([text.check(z.minLength(1), z.maxLength(16)), z.int()]),
  z.transform((mid: string | number) => String(mid)),
);

/**
 * Data of `publish`. The grant names the stream; `name` is ignored. Unknown fields are ignored, because
 * several generations of clients send more of them.
 */
export const publishData = z.object({
  sdp,
  codec: z.optional(z.enum(['h264', 'vp8', 'vp9', 'av1'])),
  sourceId: source,
  /** Validated and ignored: no priority lets one publisher take over the source of another. */
  priority: z.optional(z.nullable(z.int())),
  record: z.optional(z.nullable(z.boolean())),
  events: wantedEvents,
  /** An extension of Streamgate: the client keeps the session key and can resume with it. */
  resumable: z.optional(z.boolean()),
});

export const selectData = z.object({ layer: z.optional(z.nullable(layerChoice)) });

export const projectData = z.object({
  sourceId: source,
  /** An extension of Streamgate: in place of a source, the one that the server chose for `view`, and its successors. */
  automatic: z.optional(z.nullable(z.boolean())),
  mapping: z
    .array(
      z.object({
        trackId: z.optional(z.nullable(text.check(z.maxLength(128)))),
        media: z.optional(z.nullable(text.check(z.maxLength(16)))),
        mediaId: z.optional(z.nullable(mediaId)),
        layer: z.optional(z.nullable(layerChoice)),
      }),
    )
    .check(z.minLength(1), z.maxLength(64)),
});

export const unprojectData = z.object({ mediaIds: z.array(mediaId).check(z.maxLength(64)) });

export const rewindData = z._default(z.object({ sourceId: source }), {});

export const renewData = z.object({ sdp });

export const answerData = z.object({ sdp });

/** A message says no more of them. */
const MAX_FAULTS = 20;

/** Parses the data of a command. @throws {SignallingError} `invalid_command`, with its first faults */
export function parseCommandData<Schema extends z.ZodMiniType>(schema: Schema, command: Command): z.output<Schema> {
  const parsed = z.safeParse(schema, command.data);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .slice(0, MAX_FAULTS)
    .map(({ path, message }) => `${path.join('.') || 'data'}: ${message}`);
  throw new SignallingError('invalid_command', `the command "${command.name}" cannot be read: ${faults.join('; ')}`);
}
