import type { CustomElement, Manifest, Member } from './manifest.ts';

/** A member of a tag with its description. */
export interface Named {
  readonly name: string;
  readonly description: string;
}

export interface Typed extends Named {
  readonly type: string;
  readonly default?: string | undefined;
  readonly isReadonly?: boolean;
  /** For a property: the attribute that sets it. */
  readonly attribute?: string;
  /** For an attribute: the property that it sets, if the manifest names it. */
  readonly property?: string;
  /** Whether the member is inherited from `CustomVideoElement`, which wraps a `<video>`. */
  readonly isFromVideo?: boolean;
}

export interface Method extends Named {
  /** As `shareScreen(): Promise<void>`. */
  readonly signature: string;
}

/** The public members of a tag. */
export interface Tag extends Named {
  readonly attributes: readonly Typed[];
  readonly properties: readonly Typed[];
  readonly methods: readonly Method[];
  readonly events: readonly Typed[];
  readonly slots: readonly Named[];
  readonly parts: readonly Named[];
  readonly cssProperties: readonly Typed[];
  readonly states: readonly Named[];
}

/** The tags of a manifest, in the order of their names. */
export function tagsOf({ modules }: Manifest): Tag[] {
  return modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter(({ tagName }) => tagName !== undefined)
    .map(tag)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function tag({ tagName = '', description = '', members = [], ...lists }: CustomElement): Tag {
  return {
    name: tagName,
    description,
    attributes: typed(lists.attributes),
    properties: typed(members.filter(({ kind }) => kind === 'field')),
    methods: members.filter(({ kind }) => kind === 'method').map(method),
    events: typed(lists.events),
    slots: named(lists.slots),
    parts: named(lists.cssParts),
    cssProperties: typed(lists.cssProperties),
    states: named(lists.cssStates),
  };
}

const named = (list: readonly Member[] = []): Named[] =>
  list.map(({ name, description = '' }) => ({ name: name ?? '', description }));

const typed = (list: readonly Member[] = []): Typed[] =>
  list.map((member) => ({
    ...named([member])[0]!,
    type: member.type?.text ?? '',
    ...(member.default !== undefined && { default: member.default }),
    ...(member.readonly && { isReadonly: true }),
    ...(member.attribute !== undefined && { attribute: member.attribute }),
    ...(member.fieldName !== undefined && { property: member.fieldName }),
    ...(member.inheritedFrom?.name === 'CustomVideoElement' && { isFromVideo: true }),
  }));

/** The attribute that sets a property. Undefined: there is none. */
export const attributeOf = ({ name, attribute }: Typed, { attributes }: Tag): string | undefined =>
  attribute ?? attributes.find((one) => (one.property ?? one.name) === name)?.name;

function method(member: Member): Method {
  const { name = '', parameters = [], return: result } = member;
  const list = parameters.map((parameter) => parameter.name + (parameter.optional ? '?' : '')).join(', ');
  return { ...named([member])[0]!, signature: `${name}(${list}): ${result?.type?.text ?? 'void'}` };
}

/** The values of a union such as `'vp8' | 'h264'`. Empty for all other types. */
export function choices(type: string): string[] {
  const parts = type.split('|').map((part) => part.trim());
  const values = parts.filter((part) => part !== 'undefined').map((part) => /^'([^']*)'$/.exec(part)?.[1]);
  return values.includes(undefined) ? [] : (values as string[]);
}
