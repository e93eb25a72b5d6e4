/** Changes that a person has made to a tag. Initial values are left out. */
export interface Changes {
  /** Values by property name. */
  readonly properties: ReadonlyMap<string, Value>;
  readonly lang: string;
  readonly slots: ReadonlyMap<string, string>;
  /** Custom properties, and `color-scheme`. */
  readonly styles: ReadonlyMap<string, string>;
  readonly markedParts: ReadonlySet<string>;
  readonly markedStates: ReadonlySet<string>;
  readonly loggedEvents: ReadonlySet<string>;
  /** The last method call, as text. */
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
  loggedEvents: new Set(),
  called: '',
};

/** A copy with another value for this name. Undefined removes it. */
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

/** The outline that marks parts and states. */
export const MARK = '3px dashed #e11d74';
