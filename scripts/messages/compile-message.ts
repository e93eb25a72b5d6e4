import {
  parse,
  type FunctionArg,
  type Octothorpe,
  type PlainArg,
  type Select,
  type Token,
} from '@messageformat/parser';

/** What code passes for an argument: a text, or for a plural a number, and after it the number formatted for the language. */
export type ArgumentKind = 'text' | 'count';
export type Arguments = ReadonlyMap<string, ArgumentKind>;

/** The text is not ICU MessageFormat, or not what its language or its English text needs. */
export class MessageFault extends Error {}

/** The whole numbers whose plural forms a language must have. French and Spanish have one more form from a million on. */
const COUNTS = Array.from({ length: 201 }, (_, count) => count);

/** The arguments of a text, in the order in which they occur. */
export function argumentsOf(text: string): Arguments {
  const found = new Map<string, ArgumentKind>();
  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (!('arg' in token)) continue;
      if (token.type === 'plural') found.set(token.arg, 'count');
      else if (!found.has(token.arg)) found.set(token.arg, 'text');
      if ('cases' in token) for (const one of token.cases) visit(one.tokens);
    }
  };
  visit(tokensOf(text));
  return found;
}

/** The parameters of a message, with their types. */
export const parametersOf = (all: Arguments): readonly string[] =>
  [...all].flatMap(([name, kind]) =>
    kind === 'count' ? [`${name}: number`, `${shown(name)}: string`] : [`${name}: string`],
  );

/**
 * The TypeScript of a text in ICU MessageFormat: a string, or a function of the arguments.
 *
 * @param all the arguments that code passes, in the order of the parameters
 */
export function compileMessage(text: string, language: string, all: Arguments): string {
  const used = new Set<string>();
  const body = expression(tokensOf(text), { language, all, used });
  if (all.size === 0) return body;
  const names = [...all].flatMap(([name, kind]) => (kind === 'count' ? [name, shown(name)] : [name]));
  const parameters = names.slice(0, names.findLastIndex((name) => used.has(name)) + 1);
  return `(${parameters.map((name) => (used.has(name) ? name : `_${name}`)).join(', ')}) => ${body}`;
}

interface Scope {
  readonly language: string;
  readonly all: Arguments;
  /** Gets the parameters that the code uses. */
  readonly used: Set<string>;
  /** The argument that `#` stands for. */
  readonly counted?: string;
}

function expression(tokens: readonly Token[], scope: Scope): string {
  if (tokens.every((token) => token.type === 'content')) return quoted(tokens.map(({ value }) => value).join(''));
  if (tokens.length === 1 && 'cases' in tokens[0]!) return choice(tokens[0], scope);
  const parts = tokens.map((token) => {
    if (token.type === 'content') return escaped(token.value).replace(/`|\$(?={)/g, '\\$&');
    return `\${${'cases' in token ? choice(token, scope) : value(token, scope)}}`;
  });
  return `\`${parts.join('')}\``;
}

function value(token: PlainArg | FunctionArg | Octothorpe, { all, used, counted }: Scope): string {
  if (token.type === 'function') {
    throw new MessageFault(`{${token.arg}, ${token.key}}: numbers and dates arrive formatted. Write {${token.arg}}.`);
  }
  const name = token.type === 'octothorpe' ? counted! : token.arg;
  if (!all.has(name)) throw new MessageFault(`{${name}} is no argument of this message.`);
  const parameter = all.get(name) === 'count' ? shown(name) : name;
  used.add(parameter);
  return parameter;
}

/** A plural or a selection. */
function choice(select: Select, scope: Scope): string {
  const { type, arg, cases } = select;
  if (type === 'selectordinal' || select.pluralOffset) throw new MessageFault(`{${arg}, ${type}} is not supported.`);
  if (scope.all.get(arg) !== (type === 'plural' ? 'count' : 'text')) {
    throw new MessageFault(`{${arg}, ${type}} is no such argument of this message.`);
  }
  if (cases.length > 1) scope.used.add(arg);
  const inner: Scope = type === 'plural' ? { ...scope, counted: arg } : scope;
  const texts = new Map(cases.map(({ key, tokens }) => [key, expression(tokens, inner)]));
  if (!texts.has('other')) throw new MessageFault(`{${arg}, ${type}} has no "other".`);
  return type === 'plural' ? plural(arg, texts, scope.language) : firstOf(texts, (key) => `${arg} === ${quoted(key)}`);
}

function plural(arg: string, texts: ReadonlyMap<string, string>, language: string): string {
  const forms = pluralForms(language);
  const written = [...texts.keys()].filter((key) => !key.startsWith('='));
  if (written.toSorted().join() !== [...forms.keys()].toSorted().join()) {
    throw new MessageFault(`the plural forms of this language are ${[...forms.keys()].toSorted(inOrder).join(', ')}.`);
  }
  const conditions = new Map([...forms].map(([form, counts]) => [form, condition(arg, counts)]));
  if (written.every((form) => form === 'other' || conditions.get(form))) {
    return firstOf(texts, (key) => (key.startsWith('=') ? `${arg} === ${key.slice(1)}` : conditions.get(key)!));
  }
  const exact = new Map([...texts].filter(([key]) => key.startsWith('=')));
  const table = written.map((form) => `${form}: ${texts.get(form)}`).join(', ');
  exact.set('other', `({ ${table} } as Record<string, string>)[new Intl.PluralRules('${language}').select(${arg})]!`);
  return firstOf(exact, (key) => `${arg} === ${key.slice(1)}`);
}

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'];
const inOrder = (a: string, b: string): number => FORMS.indexOf(a) - FORMS.indexOf(b);

/** The plural forms of a language, each with its counts. */
function pluralForms(language: string): Map<string, readonly number[]> {
  const rules = new Intl.PluralRules(language);
  return Map.groupBy(COUNTS, (count) => rules.select(count));
}

/** Without `Intl.PluralRules`, for a form of one or two counts. */
function condition(arg: string, counts: readonly number[]): string | undefined {
  if (counts.length === 1) return `${arg} === ${counts[0]}`;
  return counts.join() === '0,1' ? `${arg} < 2` : undefined;
}

/** A chain of conditions, exact numbers first, which ends with `other`. */
function firstOf(texts: ReadonlyMap<string, string>, conditionOf: (key: string) => string): string {
  const keys = [...texts.keys()].filter((key) => key !== 'other');
  const ordered = [...keys.filter((key) => key.startsWith('=')), ...keys.filter((key) => !key.startsWith('='))];
  const other = texts.get('other')!;
  if (ordered.length === 0) return other;
  return `(${ordered.map((key) => `${conditionOf(key)} ? ${texts.get(key)} : `).join('')}${other})`;
}

/** `count`, formatted. */
const shown = (name: string): string => `shown${name[0]!.toUpperCase()}${name.slice(1)}`;

/** A text as a literal. */
export const quoted = (text: string): string =>
  text.includes("'") ? `"${escaped(text).replaceAll('"', '\\"')}"` : `'${escaped(text)}'`;

/** Marks of direction are invisible: they are written as escapes. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);

function tokensOf(text: string): readonly Token[] {
  try {
    return parse(text);
  } catch (error) {
    throw new MessageFault((error as Error).message, { cause: error });
  }
}
