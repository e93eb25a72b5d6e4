import { EventEmitter } from 'node:events';
import { attempt } from './contain.js';
import type { FaultPart } from './fault.js';

/**
 * An emitter of ours. The fault of a listener reaches neither the other listeners nor who emits: each of them does its own
 * part, whatever another one does.
 */
export class Emitter<Events extends Record<keyof Events, unknown[]>> extends EventEmitter<Events> {
  /** As `emit`. @returns false if a listener failed: for events after which every part must know of something */
  protected readonly tellAll: this['emit'];

  /** @param part where faults of its listeners are counted */
  constructor(part: FaultPart) {
    super();
    this.emit = (name, ...args) => {
      const listeners = this.rawListeners(name);
      for (const listener of listeners) attempt(part, () => Reflect.apply(listener, this, args));
      return listeners.length > 0;
    };
    this.tellAll = (name, ...args) =>
      this.rawListeners(name)
        .map((listener) => attempt(part, () => Reflect.apply(listener, this, args)))
        .every(Boolean);
  }
}
