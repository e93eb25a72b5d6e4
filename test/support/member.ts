import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import type { Publisher, Viewer } from '../../server/streams/member.js';
import type { ClaimRequest } from '../../server/streams/source.js';
import type { StreamEvent } from '../../server/streams/stream-event.js';

interface Recorded {
  /** The events that the member was sent, in order. */
  readonly received: StreamEvent[];
  readonly stopped: StopCode[];
}

let ids = 0;
const nextId = () => (ids += 1).toString(16).padStart(32, '0');

function recorder(): Recorded & Pick<Viewer, 'id' | 'send' | 'stop'> {
  const received: StreamEvent[] = [];
  const stopped: StopCode[] = [];
  return { id: nextId(), received, stopped, send: (event) => received.push(event), stop: (code) => stopped.push(code) };
}

/** A viewer that media reaches. */
export function aViewer(): Viewer & Recorded & { reachable: boolean } {
  return { role: 'Subscribe', reachable: true, ...recorder() };
}

export interface TestPublisher extends Publisher, Recorded {
  suspended: boolean;
  /** How often its lease expired. */
  leaseExpirations: number;
}

export function aPublisher(overrides: Partial<Publisher> = {}): TestPublisher {
  const publisher: TestPublisher = {
    role: 'Publish',
    sessionKey: 'the-key',
    tokenId: 1,
    codec: undefined,
    suspended: false,
    notices: [],
    leaseExpirations: 0,
    bitrateMeasured: () => {},
    loadMeasured: () => {},
    leaseExpired: () => (publisher.leaseExpirations += 1),
    ...recorder(),
    ...overrides,
  };
  return publisher;
}

/** A claim of the main source by a client that cannot resume. A test changes the field that it is about. */
export function claimRequest(overrides: Partial<ClaimRequest> = {}): ClaimRequest {
  return { sourceId: null, resumable: false, resumes: null, ...overrides };
}

export const namesOf = ({ received }: Recorded): string[] => received.map(({ name }) => name);

/** The data of each received event with this name. */
export function dataOf<Name extends 'active' | 'updated' | 'inactive' | 'interrupted' | 'viewercount'>(
  { received }: Recorded,
  name: Name,
): Extract<StreamEvent, { data: object }>['data'][] {
  return received.flatMap((event) => (event.name === name && 'data' in event ? [event.data] : []));
}
