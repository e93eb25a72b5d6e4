/** All that somebody has made of a tag. What is as it was at first is not in it. */
export interface Changes {
  /** By the names of properties. */
  readonly properties: ReadonlyMap<string, Value>;
  readonly lang: string;
  readonly slots: ReadonlyMap<string, string>;
  /** Custom properties, and `color-scheme`. */
  readonly styles: ReadonlyMap<string, string>;
  readonly markedParts: ReadonlySet<string>;
  readonly markedStates: ReadonlySet<string>;
  readonly heardEvents: ReadonlySet<string>;
  /** The method that was called last. */
  readonly called: string;
}

export type Value = string | number | boolean;

export const UNCHANGED: Changes = {
  properties: new Map(),
  lang: 'en',
  slots: new Map(),
  styles: new Map(),
  markedParts: new Set(),
  markedStates: new Set(),
  heardEvents: new Set(),
  called: '',
};

/** With this under that name, or without it. */
export function withEntry<Name, Of>(map: ReadonlyMap<Name, Of>, name: Name, value: Of | undefined): Map<Name, Of> {
  const next = new Map(map);
  if (value === undefined) next.delete(name);
  else next.set(name, value);
  return next;
}

export function withName(names: ReadonlySet<string>, name: string, isIn: boolean): Set<string> {
  const next = new Set(names);
  if (isIn) next.add(name);
  else next.delete(name);
  return next;
}

/** How what is pointed at is marked. */
export const MARK = '3px dashed #e11d74';
