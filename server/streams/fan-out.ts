import { contain } from '../faults/contain.js';
import { reportFault } from '../faults/fault.js';
import type { Member } from './member.js';
import type { StreamEvent } from './stream-event.js';

/**
 * How many members are sent an event in one turn of the event loop. Measured with 10,000 websockets: other work is not
 * delayed, and the last member receives the event in less than 0.2 s.
 */
const SLICE = 500;

/**
 * Sends events to many members in slices, so that the server does other work in between. Events are sent in the order
 * of the calls. Measurements (`sendLatest`) wait until no event is left, and an event that is sent meanwhile has priority:
 * the start of a stream is more urgent than the viewer count of the stream before.
 */
export class FanOut {
  readonly #events: Delivery[] = [];
  /** Measurements that were not started, by name. A newer one replaces an older one. */
  readonly #waiting = new Map<StreamEvent['name'], () => Delivery>();
  /** The measurement that is being sent. */
  #measurement: Delivery | undefined;
  #running = false;

  send(members: Iterable<Member>, event: StreamEvent): void {
    this.#measurement?.renumber();
    this.#events.push(new Delivery(members, () => event));
    if (!this.#running) this.#sendSlice();
  }

  /** @param create called when the first member is sent to, and again after an event that came in between */
  sendLatest(members: Iterable<Member>, name: StreamEvent['name'], create: () => StreamEvent): void {
    this.#waiting.set(name, () => new Delivery(members, create));
    if (!this.#running) this.#sendSlice();
  }

  #sendSlice(): void {
    for (let sent = 0; sent < SLICE;) {
      const delivery = this.#events[0] ?? (this.#measurement ??= this.#nextMeasurement());
      if (!delivery) {
        this.#running = false;
        return;
      }
      if (delivery.sendNext()) sent += 1;
      else if (delivery === this.#measurement) this.#measurement = undefined;
      else this.#events.shift();
    }
    this.#running = true;
    setImmediate(contain('streams', () => this.#sendSlice()));
  }

  #nextMeasurement(): Delivery | undefined {
    const [next] = this.#waiting;
    if (!next) return undefined;
    const [name, start] = next;
    this.#waiting.delete(name);
    return start();
  }
}

/** The delivery of one event to all who were members when it started. */
class Delivery {
  readonly #members: Iterator<Member>;
  readonly #create: () => StreamEvent;
  #event: StreamEvent | undefined;

  constructor(members: Iterable<Member>, create: () => StreamEvent) {
    // A copy: a member that joins later receives a snapshot, and a member that leaves ignores the event.
    this.#members = [...members].values();
    this.#create = create;
  }

  /** @returns false if every member was sent to */
  sendNext(): boolean {
    const { value: member, done } = this.#members.next();
    if (done) return false;
    try {
      member.send((this.#event ??= this.#create()));
    } catch (error) {
      // The other members are sent to.
      reportFault('streams', error, { of: { session: member.id } });
    }
    return true;
  }

  /** A newer event has priority. The remaining members need a higher number: clients drop an event with a lower one. */
  renumber(): void {
    this.#event = undefined;
  }
}
