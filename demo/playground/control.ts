import { choices, type Tag, type Typed } from '../../scripts/editor-data/tag.ts';

/** The kind of input field. `shown`: a read-only value. `called`: a method. */
export type ControlKind =
  'check' | 'choice' | 'number' | 'text' | 'messages' | 'provider' | 'media' | 'shown' | 'called';

/** An input field for an attribute, a property, or a property with its attribute. */
export interface Control {
  readonly kind: ControlKind;
  readonly attribute: string | undefined;
  readonly property: string;
  readonly description: string;
  /** The default that the manifest names. Undefined: only an element of the tag knows it. */
  readonly initial: string | number | boolean | undefined;
  readonly choices: readonly string[];
}

/** A control for every attribute and every property of a tag. A property shares its control with its attribute. */
export function controlsOf({ attributes, properties }: Pick<Tag, 'attributes' | 'properties'>): readonly Control[] {
  const reflected = new Set(properties.map(({ attribute }) => attribute));
  const attributeOf = ({ name, attribute }: Typed): Typed | undefined =>
    attributes.find((one) => (reflected.has(one.name) ? one.name === attribute : camelCase(one.name) === name));
  const known = new Set(properties.map(attributeOf));
  const alone = attributes.filter((attribute) => !known.has(attribute));
  return [
    ...properties.map((property) => control(property, attributeOf(property))),
    ...alone.map((attribute) => control({ ...attribute, name: camelCase(attribute.name) }, attribute)),
  ];
}

export const camelCase = (attribute: string): string =>
  attribute.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function control(property: Typed, attribute: Typed | undefined): Control {
  const type = property.type || attribute?.type || '';
  return {
    kind: kindOf(property, type),
    attribute: attribute?.name,
    property: property.name,
    description: property.description || attribute?.description || '',
    initial: literal(property.default ?? attribute?.default),
    choices: valuesOf(type),
  };
}

/** A few texts, or a boolean and a few texts. */
const valuesOf = (type: string): readonly string[] => choices(type.replace(/^boolean \| /, "'true' | 'false' | "));

function kindOf({ isReadonly = false }: Typed, type: string): ControlKind {
  if (type.startsWith("Video['") && type !== "Video['srcObject']") return 'called';
  if (isReadonly) return 'shown';
  if (valuesOf(type).length > 0) return 'choice';
  const kind = KINDS[type];
  if (kind) return kind;
  throw new Error(`There is no input field for the type ${type}. Add one to demo/playground/control.ts.`);
}

const KINDS: Readonly<Record<string, ControlKind>> = {
  boolean: 'check',
  number: 'number',
  string: 'text',
  PictureHeight: 'text',
  'Partial<Messages>': 'messages',
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
