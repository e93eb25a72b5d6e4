import * as z from 'zod/mini';
import { repeatedText, type Element, type NamedInput } from './cost.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Path = readonly (string | number)[];

/** An input, and which part of which schema it repeats. Schemas share parts. */
export interface HostileInput extends NamedInput<string> {
  /** The same for the same schema at the same place. */
  readonly part: string;
}

/** The field of a JSON schema with the number of its zod schema. */
const SCHEMA = 'x-schema';
const numbers = new Map<unknown, number>();

/** The part of an input that repeats something for this schema. */
export const partOf = (schema: z.core.$ZodType): string => String(numberOf(schema));

/** Of a schema, whether it is optional or not. */
function numberOf(schema: z.core.$ZodType): number {
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType };
  if (innerType) return numberOf(innerType);
  const number = numbers.get(schema) ?? numbers.size;
  numbers.set(schema, number);
  return number;
}

/** What a text field can be filled with, as it stands between the quotes of JSON. */
const TEXTS: readonly Element[] = [
  'a',
  ' ',
  'a.',
  ':',
  '/',
  '%41',
  '0',
  ',',
  '\\u0000',
  '\\ud83c\\udfa5',
  '\\"',
  '*.',
  '(a|',
];

/** What a list can be filled with, whatever it should have. */
const VALUES: readonly Element[] = ['1', '{}', '[]', '""', 'null', '{"a":1}', (index) => `"${index}"`];

const DISTINCT_KEYS: Element = (index) => `"k${index}":0`;
const SAME_KEY: Element = '"k":0';
const PROTOTYPE: Element = '"__proto__":{"a":1}';

/** @param schema see `partOf` */
export const asPart = (input: NamedInput<string> & Partial<HostileInput>, schema: string): HostileInput => ({
  part: `${schema} ${input.name}`,
  ...input,
});

/** Inputs for a schema that repeat each of its parts, and JSON of no schema at all. */
export function hostileJson(schema: z.ZodMiniType): readonly HostileInput[] {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    // Without the metadata of zod-openapi, which would put some schemas behind a $ref.
    metadata: z.registry(),
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => void (jsonSchema[SCHEMA] = numberOf(zodSchema)),
  });
  const inputs = [...anyJson([]), ...partsOf(json, [])];
  return inputs.map((input) => asPart(input, partOf(schema)));
}

/** The same path may come from several options of a union. */
function partsOf(json: JsonSchema, path: Path): readonly (NamedInput<string> & Partial<HostileInput>)[] {
  const inputs = inputsOf(json, path);
  if (path.length === 0) return inputs;
  return inputs.map((input) => asPart(input, String(json[SCHEMA])));
}

function inputsOf(json: JsonSchema, path: Path): readonly (NamedInput<string> & Partial<HostileInput>)[] {
  const options = [...(json.anyOf ?? []), ...(json.oneOf ?? []), ...(json.allOf ?? [])];
  if (options.length > 0) return options.flatMap((option) => partsOf(option, path));
  if (json.type === 'object') {
    const properties = Object.entries(json.properties ?? {}).flatMap(([key, value]) =>
      partsOf(schemaOf(value), [...path, key]),
    );
    const others = typeof json.additionalProperties === 'object' ? json.additionalProperties : {};
    const records = path.length > 0 ? anyJson(path) : [];
    return [
      ...properties,
      ...records,
      growing(path, `keys of ${valueOf(others)}`, (index) => `"k${index}":${valueOf(others)}`, '{', '}'),
    ];
  }
  if (json.type === 'array') {
    const items = json.items === undefined ? {} : schemaOf(json.items);
    const elements = [valueOf(items), ...VALUES];
    return [
      ...elements.map((element) => growing(path, `a list of ${textOf(element)}`, element, '[', ']')),
      ...partsOf(items, [...path, 0]),
    ];
  }
  if (json.type === 'boolean' || json.enum || json.const !== undefined) return [];
  if (json.type === 'number' || json.type === 'integer') return [growing(path, 'digits', '9', '', '', '')];
  const texts = TEXTS.map((text) => growing(path, `a text of ${textOf(text)}`, text, '"', '"', ''));
  return json.type === 'string' ? texts : [...texts, ...anyJson(path)];
}

/** JSON that fits no schema. */
function anyJson(path: Path): readonly NamedInput<string>[] {
  return [
    growing(path, 'unknown keys', DISTINCT_KEYS, '{', '}'),
    growing(path, 'one unknown key', SAME_KEY, '{', '}'),
    growing(path, '__proto__', PROTOTYPE, '{', '}'),
    ...VALUES.map((value) => growing(path, `unknown lists of ${textOf(value)}`, value, '[', ']')),
    nested(path, 'nested lists', '[', ']'),
    nested(path, 'nested objects', '{"a":', '}'),
    growing(path, 'spaces', ' ', '', '1', ''),
  ];
}

function growing(
  path: Path,
  what: string,
  element: Element,
  open: string,
  close: string,
  between = ',',
): NamedInput<string> {
  const [before, after] = around(path);
  const frame = { before: before + open, between, after: close + after };
  return { name: `${nameOf(path)}: ${what}`, grow: repeatedText(element, frame) };
}

function nested(path: Path, what: string, open: string, close: string): NamedInput<string> {
  const [before, after] = around(path);
  const grow = (size: number): string => {
    const depth = Math.floor((size - before.length - after.length - 1) / (open.length + close.length));
    return `${before}${open.repeat(depth)}1${close.repeat(depth)}${after}`;
  };
  return { name: `${nameOf(path)}: ${what}`, grow };
}

/** The JSON around the value at a path. */
function around(path: Path): [before: string, after: string] {
  return path.reduceRight<[string, string]>(
    ([before, after], key) => (key === 0 ? [`[${before}`, `${after}]`] : [`{"${key}":${before}`, `${after}}`]),
    ['', ''],
  );
}

/** A value that a schema takes, as far as its type says. */
function valueOf(json: JsonSchema): string {
  const [option] = [...(json.anyOf ?? []), ...(json.oneOf ?? []), ...(json.allOf ?? [])];
  if (option) return valueOf(option);
  if (json.const !== undefined) return JSON.stringify(json.const);
  if (json.enum) return JSON.stringify(json.enum[0]);
  switch (json.type) {
    case 'object': {
      const required = (json.required ?? []).map(
        (key) => `"${key}":${valueOf(schemaOf(json.properties?.[key] ?? {}))}`,
      );
      return `{${required.join(',')}}`;
    }
    case 'array':
      return '[]';
    case 'string':
      return '"a"';
    case 'boolean':
      return 'true';
    default:
      return '1';
  }
}

function schemaOf(value: JsonSchema['items'] | boolean): JsonSchema {
  return typeof value === 'object' && !Array.isArray(value) ? (value as JsonSchema) : {};
}

const nameOf = (path: Path): string => path.map((key) => (key === 0 ? '[]' : `.${key}`)).join('') || 'the whole';

const textOf = (element: Element): string => (typeof element === 'string' ? element : element(0));
