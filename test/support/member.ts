import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import type { Publisher, Viewer } from '../../server/streams/member.js';
import type { ClaimRequest } from '../../server/streams/source.js';
import type { StreamEvent } from '../../server/streams/stream-event.js';

interface Heard {
  /** What it was told, in order. */
  readonly heard: StreamEvent[];
  readonly stopped: StopCode[];
}

let ids = 0;
const nextId = () => (ids += 1).toString(16).padStart(32, '0');

function listener(): Heard & Pick<Viewer, 'id' | 'tell' | 'stop'> {
  const heard: StreamEvent[] = [];
  const stopped: StopCode[] = [];
  return { id: nextId(), heard, stopped, tell: (news) => heard.push(news), stop: (reason) => stopped.push(reason) };
}

/** A viewer whom media gets through to. */
export function aViewer(): Viewer & Heard & { reachable: boolean } {
  return { role: 'Subscribe', reachable: true, ...listener() };
}

export interface TestPublisher extends Publisher, Heard {
  suspended: boolean;
  /** How often it was told that nobody came back in time. */
  lapses: number;
}

export function aPublisher(overrides: Partial<Publisher> = {}): TestPublisher {
  const publisher: TestPublisher = {
    role: 'Publish',
    sessionKey: 'the-key',
    tokenId: 1,
    suspended: false,
    lapses: 0,
    leaseExpired: () => (publisher.lapses += 1),
    ...listener(),
    ...overrides,
  };
  return publisher;
}

/** To be the main source, and not to come back. A test changes the one thing it is about. */
export function aWish(overrides: Partial<ClaimRequest> = {}): ClaimRequest {
  return { sourceId: null, resumable: false, resumes: null, ...overrides };
}

export const namesOf = ({ heard }: Heard): string[] => heard.map(({ name }) => name);

/** The data of each event of a name that it heard. */
export function dataOf<Name extends 'active' | 'updated' | 'inactive' | 'viewercount'>(
  { heard }: Heard,
  name: Name,
): Extract<StreamEvent, { data: object }>['data'][] {
  return heard.flatMap((news) => (news.name === name && 'data' in news ? [news.data] : []));
}
