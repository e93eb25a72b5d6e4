/** One event, as it is shown. */
export interface Line {
  readonly at: string;
  readonly name: string;
  readonly fields: string;
}

/** Said many times a second: counted, and not written down. */
const NOISY: ReadonlySet<string> = new Set(['timeupdate', 'progress']);
const LINES = 60;

/** What a tag has said. */
export class EventLog {
  readonly counts = new Map<string, number>();
  lines: readonly Line[] = [];

  /** @param changed there is something new in it */
  listen(tag: Element, names: readonly string[], changed: () => void, signal: AbortSignal): void {
    const note = (event: Event): void => {
      // What is said by something inside bubbles through here, too.
      if (event.target !== tag) return;
      this.counts.set(event.type, (this.counts.get(event.type) ?? 0) + 1);
      if (!NOISY.has(event.type))
        this.lines = [{ at: clock(), name: event.type, fields: fieldsOf(event) }, ...this.lines].slice(0, LINES);
      changed();
    };
    for (const name of names) tag.addEventListener(name, note, { signal });
  }

  clear(): void {
    this.counts.clear();
    this.lines = [];
  }
}

const clock = (): string => new Date().toTimeString().slice(0, 8);

function fieldsOf(event: Event): string {
  return Object.entries(event)
    .filter(([name]) => name !== 'isTrusted')
    .map(([name, value]: [string, unknown]) => `${name}: ${shown(value)}`)
    .join(', ');
}

/** A value of any kind in a few words. */
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
