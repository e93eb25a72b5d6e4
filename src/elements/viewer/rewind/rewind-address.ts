import type { RewindBody } from '../../../wire/rewind.js';

/** Where the recording of a stream is, and how long it was at `at`. */
export interface RewindAddress {
  readonly url: string;
  readonly isLive: boolean;
  /** What the playlist listed. */
  readonly seconds: number;
  /** Of `performance.now()`, in milliseconds. */
  readonly at: number;
}

export interface RewindRequest {
  readonly endpoint: string;
  readonly accountId: string;
  readonly streamName: string;
  /** Asks in the session of the viewer. Undefined: there is no session. */
  readonly ask: () => Promise<unknown>;
}

/**
 * Asks where the recording is: in the session of the viewer, or without one as a viewer without a token, such as one who
 * comes after the broadcast.
 *
 * @returns undefined: the server cannot record
 * @throws {RefusedRewind} the server refused @throws {Error} it did not answer
 */
export async function requestRewind(request: RewindRequest): Promise<RewindAddress | undefined> {
  const data = await request.ask().catch((error: unknown) => {
    // A `RejectedError` of the session. Its class is not imported, nor is `unread.ts` below: bundlers would put them in a
    // file of their own, which every viewer would load.
    const { reason, message } = fields(error);
    throw typeof reason === 'string' ? new RefusedRewind(reason, String(message)) : error;
  });
  return readAddress(fields(data ?? (await askWithoutSession(request))), request.endpoint);
}

/** The server permits no rewind. `isAbsent`: there is nothing to go back in. */
export class RefusedRewind extends Error {
  readonly isAbsent: boolean;

  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
    this.isAbsent = ABSENT.has(code);
  }
}

const ABSENT: ReadonlySet<string> = new Set([
  'rewind_unavailable',
  'unknown_command',
  'stream_not_live',
  'route_not_found',
]);

async function askWithoutSession({ endpoint, accountId, streamName }: RewindRequest): Promise<unknown> {
  // A token names its account and always has a session: without an account there is nobody to ask for.
  if (!accountId) return undefined;
  const path = [accountId, ...streamName.split('/')].map(encodeURIComponent).join('/');
  const url = `${endpoint.replace(/\/+$/, '')}/api/hls/${path}`;
  const response = await fetch(url, { method: 'POST', body: '{}' });
  const data = fields(fields(await response.json().catch(() => undefined)).data);
  if (response.ok) return data;
  const { code, message } = data;
  if (typeof code !== 'string') throw new Error(`The server failed (HTTP ${response.status})`);
  throw new RefusedRewind(code, String(message));
}

function readAddress({ path, isLive, seconds }: Unchecked<RewindBody>, endpoint: string): RewindAddress | undefined {
  if (typeof path !== 'string' || !path.startsWith('/')) return undefined;
  return {
    // Chromium 156 starts a playlist that grows at its end, and fails when it seeks in it.
    url: new URL(path.replace(/playlist\.m3u8$/, 'complete.m3u8'), endpoint).href,
    isLive: isLive === true,
    seconds: typeof seconds === 'number' ? seconds : 0,
    at: performance.now(),
  };
}

type Unchecked<Message> = { readonly [Name in keyof Message]?: unknown };

/** The fields of what a server sent. */
function fields(
  value: unknown,
): Unchecked<RewindBody & { data: unknown; code: unknown; reason: unknown; message: unknown }> {
  return Object(value) as object;
}
