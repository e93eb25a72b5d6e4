import type { StopReason } from '../../src/wire/stop-reason.js';
import type { Publisher, Viewer } from '../../server/streams/member.js';
import type { StreamEvent } from '../../server/streams/stream-event.js';

interface Heard {
  /** What it was told, in order. */
  readonly heard: StreamEvent[];
  readonly stopped: StopReason[];
}

let ids = 0;
const nextId = () => (ids += 1).toString(16).padStart(32, '0');

function listener(): Heard & Pick<Viewer, 'id' | 'tell' | 'stop'> {
  const heard: StreamEvent[] = [];
  const stopped: StopReason[] = [];
  return { id: nextId(), heard, stopped, tell: (event) => heard.push(event), stop: (reason) => stopped.push(reason) };
}

export function aViewer(): Viewer & Heard {
  return { role: 'Subscribe', ...listener() };
}

export function aPublisher(overrides: Partial<Publisher> = {}): Publisher & Heard {
  return { role: 'Publish', sessionKey: 'the-key', tokenId: 1, ...listener(), ...overrides };
}

export const namesOf = ({ heard }: Heard): string[] => heard.map(({ name }) => name);
