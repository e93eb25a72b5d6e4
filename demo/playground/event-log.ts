/** One event of the log. */
export interface LogEntry {
  readonly at: string;
  readonly name: string;
  readonly fields: string;
}

/** Events that are dispatched many times a second. They are counted but not listed. */
const FREQUENT: ReadonlySet<string> = new Set(['timeupdate', 'progress']);
const MOST_ENTRIES = 60;

/** The events that a tag has dispatched, the newest first. */
export class EventLog {
  readonly counts = new Map<string, number>();
  entries: readonly LogEntry[] = [];

  /** @param onEvent called after each event */
  listen(tag: Element, names: readonly string[], onEvent: () => void, signal: AbortSignal): void {
    const record = (event: Event): void => {
      // Events of elements inside the tag bubble to the tag.
      if (event.target !== tag) return;
      this.counts.set(event.type, (this.counts.get(event.type) ?? 0) + 1);
      if (!FREQUENT.has(event.type))
        this.entries = [{ at: clock(), name: event.type, fields: fieldsOf(event) }, ...this.entries].slice(
          0,
          MOST_ENTRIES,
        );
      onEvent();
    };
    for (const name of names) tag.addEventListener(name, record, { signal });
  }

  clear(): void {
    this.counts.clear();
    this.entries = [];
  }
}

const clock = (): string => new Date().toTimeString().slice(0, 8);

function fieldsOf(event: Event): string {
  return Object.entries(event)
    .filter(([name]) => name !== 'isTrusted')
    .map(([name, value]: [string, unknown]) => `${name}: ${shown(value)}`)
    .join(', ');
}

/** A short text for a value of any kind. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'ƒ';
  if (value instanceof TimeRanges) return `TimeRanges(${value.length})`;
  if (value instanceof Error) return `${value.name}(${Reflect.get(value, 'code') ?? value.message})`;
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? `"${value}"` : String(value);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value.constructor.name;
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${shown(one)}`)
    .join(', ')} }`;
}
