import { announcedStreamAnswer, type AnnouncedStream } from '../../wire/scheduled-stream.js';

const USUAL_MS = 30_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
const TIMEOUT_MS = 10_000;

/** `lost`: the server could not be asked, or had a fault. */
export type FeedAnswer =
  | { readonly name: 'known'; readonly stream: AnnouncedStream }
  | { readonly name: 'missing' }
  | { readonly name: 'lost' };

/** Never throws. */
export async function readAnnouncement(id: string, request: typeof fetch = fetch): Promise<FeedAnswer> {
  try {
    const response = await request(`/api/scheduled_stream/${encodeURIComponent(id)}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return { name: 'known', stream: announcedStreamAnswer.parse(await response.json()).data };
    // 400: the id in the address is none.
    return { name: response.status === 404 || response.status === 400 ? 'missing' : 'lost' };
  } catch {
    return { name: 'lost' };
  }
}

/** When to ask again, with a random part, so that a crowd does not ask at once. @param losses in a row */
export function askAgainInMs(losses: number, random = Math.random()): number {
  if (losses === 0) return USUAL_MS * (0.75 + random / 2);
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (losses - 1)) * (0.5 + random);
}

export interface FeedOptions {
  readonly read: () => Promise<FeedAnswer>;
  readonly onAnswer: (answer: FeedAnswer) => void;
  readonly signal: AbortSignal;
}

/** Asks again and again while the page is visible, and at once when it becomes visible or the network is back. */
export function followAnnouncement({ read, onAnswer, signal }: FeedOptions): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let losses = 0;
  let isAsking = false;

  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    if (isAsking || document.hidden || signal.aborted) return;
    isAsking = true;
    const answer = await read();
    isAsking = false;
    if (signal.aborted) return;
    losses = answer.name === 'lost' ? losses + 1 : 0;
    onAnswer(answer);
    timer = setTimeout(() => void ask(), askAgainInMs(losses));
  };
  document.addEventListener('visibilitychange', () => void ask(), { signal });
  window.addEventListener('online', () => void ask(), { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
  void ask();
}
