import { choices, type Tag, type Typed } from '../../scripts/editor-data/tag.ts';

/** How a value is given by hand. `shown`: it is only to be read; `called`: it is a function. */
export type ControlKind = 'check' | 'choice' | 'number' | 'text' | 'words' | 'provider' | 'media' | 'shown' | 'called';

/** One attribute or property, or both in one. */
export interface Control {
  readonly kind: ControlKind;
  readonly attribute: string | undefined;
  readonly property: string;
  readonly description: string;
  /** As it is where nobody says otherwise. Undefined: known only once there is a tag. */
  readonly initial: string | number | boolean | undefined;
  readonly choices: readonly string[];
}

/** Every attribute and every property of a tag, those that belong together in one. */
export function controlsOf({ attributes, properties }: Pick<Tag, 'attributes' | 'properties'>): readonly Control[] {
  const attributeOf = (property: Typed): Typed | undefined =>
    attributes.find(({ name }) => name === property.attribute || camelCase(name) === property.name);
  const knobs = properties.map((property) => knob(property, attributeOf(property)));
  const paired = new Set(properties.map(attributeOf));
  const alone = attributes.filter((attribute) => !paired.has(attribute));
  return [...knobs, ...alone.map((attribute) => knob({ ...attribute, name: camelCase(attribute.name) }, attribute))];
}

export const camelCase = (attribute: string): string =>
  attribute.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function knob(property: Typed, attribute: Typed | undefined): Control {
  const type = property.type || attribute?.type || '';
  return {
    kind: kindOf(property, type),
    attribute: attribute?.name,
    property: property.name,
    description: property.description || attribute?.description || '',
    initial: literal(property.default ?? attribute?.default),
    choices: choices(type),
  };
}

function kindOf({ isReadonly = false }: Typed, type: string): ControlKind {
  if (type.startsWith("Video['") && type !== "Video['srcObject']") return 'called';
  if (isReadonly) return 'shown';
  if (choices(type).length > 0) return 'choice';
  const kind = KINDS[type];
  if (kind) return kind;
  throw new Error(`Nobody has said how a ${type} is given by hand. Say it in demo/playground/control.ts.`);
}

const KINDS: Readonly<Record<string, ControlKind>> = {
  boolean: 'check',
  number: 'number',
  string: 'text',
  PictureHeight: 'text',
  'Partial<Messages>': 'words',
  'TokenProvider | undefined': 'provider',
  'MediaStream | null': 'media',
};

function literal(source: string | undefined): string | number | boolean | undefined {
  if (source === undefined) return undefined;
  const text = /^'([^']*)'$/.exec(source)?.[1];
  if (text !== undefined) return text;
  if (source === 'true' || source === 'false') return source === 'true';
  return source !== '' && Number.isFinite(Number(source)) ? Number(source) : undefined;
}
