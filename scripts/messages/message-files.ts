import { posix } from 'node:path';
import { LANGUAGES, type Area, type Entry, type Group, type Note, type NotedGroup } from './catalogue.ts';
import { argumentsOf, compileMessage, MessageFault, parametersOf, quoted, type Arguments } from './compile-message.ts';

/** The name under which a module imports the texts of `include`. */
const INCLUDED = 'included';

/** All files that are generated from the catalogues: path, and text. */
export function messageFiles(areas: readonly Area[]): ReadonlyMap<string, string> {
  const byFolder = new Map(areas.map((area) => [area.folder, area]));
  const used = new Set(areas.flatMap((area) => linksOf(area).map(({ folder }) => folder)));
  return new Map(
    areas.flatMap((area) => filesOf(new AreaFiles(area, byFolder), !area.note.module && !used.has(area.folder))),
  );
}

/** @param isPage the area is loaded by itself, not as a part of another */
const filesOf = (files: AreaFiles, isPage: boolean): readonly (readonly [path: string, text: string])[] => [
  ...(files.area.note.module ? [] : [[files.path(kebab(files.area.note.type)), files.types()] as const]),
  ...(['en', ...LANGUAGES] as const).map((language) => [files.path(language), files.catalogue(language)] as const),
  ...(isPage ? [[files.path('translations'), files.translations()] as const] : []),
];

class AreaFiles {
  readonly area: Area;
  readonly #areas: ReadonlyMap<string, Area>;
  /** The catalogue that is read, for the sentence of a fault. */
  #file = '';

  constructor(area: Area, areas: ReadonlyMap<string, Area>) {
    this.area = area;
    this.#areas = areas;
  }

  path = (name: string): string => posix.join(this.area.folder, `${name}.ts`);

  /** The module with the type of the texts. */
  types(): string {
    const { note, english } = this.area;
    this.#file = 'en.json';
    const imports = [
      ...Object.entries(note.types ?? {}).map(([name, from]) => `import type { ${name} } from '${from}';`),
      ...linksOf(this.area)
        .filter(({ key }) => key !== INCLUDED || !note.keys)
        .map(({ folder }) => this.#typeImport(folder)),
    ];
    const about = note.description ? `/** ${note.description} */\n` : '';
    const group = this.#typeOf(english, note, [], '');
    const parent = note.include ? ` extends ${this.#linked(note.include).note.type}` : '';
    const type = note.keys ? `type ${note.type} = ${group};` : `interface ${note.type}${parent} ${group}`;
    return `${header('en')}${imports.map((line) => `${line}\n`).join('')}\n${about}export ${type}\n`;
  }

  /** The module with the texts of a language. */
  catalogue(language: string): string {
    const { note, english, translations } = this.area;
    this.#file = `${language}.json`;
    const texts = language === 'en' ? (english as Group) : translations.get(language)!;
    const imports = linksOf(this.area).map(
      ({ key, from }) => `import { ${language} as ${key} } from '${from}/${language}.js';\n`,
    );
    const own = `import type { ${note.type} } from '${note.module ?? `./${kebab(note.type)}.js`}';\n`;
    const body = this.#groupOf(english, texts, note, { language, path: [], indent: '', all: [] });
    return `${header(language)}${imports.join('')}${own}\nexport const ${language}: ${note.type} = ${body};\n`;
  }

  /** The module with all languages, or that loads them. */
  translations(): string {
    const { note, folder } = this.area;
    const name = `${note.type[0]!.toLowerCase()}${note.type.slice(1)}`;
    const type = `import type { ${note.type} } from './${kebab(note.type)}.js';\n`;
    if (note.bundled) {
      const all = ['en', ...LANGUAGES];
      const imports = all.map((tag) => `import { ${tag} } from './${tag}.js';\n`);
      const texts = `Readonly<Record<string, ${note.type}>> = { ${all.join(', ')} };\n`;
      return `${header('en')}${imports.join('')}${type}\nexport const ${name}: ${texts}`;
    }
    const loads = LANGUAGES.map((tag) => `  ${tag}: async () => (await import('./${tag}.js')).${tag},\n`);
    return `${header('en')}import { translated } from '${posix.relative(folder, 'src/pages/translated.js')}';
import { en } from './en.js';
${type}
export const ${name} = translated<${note.type}>(en, {
${loads.join('')}});
`;
  }

  /** The type of a group. With `keys`, its members are of one type. */
  #typeOf(group: NotedGroup, note: Note, all: readonly string[], indent: string): string {
    const inherited = note.arguments ?? all;
    const members = keysOf(group).map((key) => {
      const about = noteOf(group, key);
      const entry = group[key] as Entry | NotedGroup | undefined;
      return { key, about, type: this.#entryType(entry, about, inherited, `${indent}  `, key) };
    });
    if (note.keys) {
      const types = new Set(members.map(({ type }) => type));
      if (types.size > 1)
        throw this.#fault([...types].join(', '), 'the texts of this group differ in their arguments:');
      return `Readonly<Record<${note.keys}, ${[...types][0]}>>`;
    }
    const lines = members.map(({ key, about, type }) => {
      const comment = about.description ? `${indent}  /** ${about.description} */\n` : '';
      return `${comment}${indent}  readonly ${property(key)}: ${type};\n`;
    });
    return `{\n${lines.join('')}${indent}}`;
  }

  #entryType(entry: Entry | NotedGroup | undefined, note: Note, all: readonly string[], indent: string, key: string) {
    if (note.catalogue) return this.#linked(note.catalogue).note.type;
    if (typeof entry === 'string') {
      const found = this.#argumentsOf(entry, note, all, key);
      return found.size === 0 ? 'string' : `(${parametersOf(found).join(', ')}) => string`;
    }
    if (entry === undefined) throw this.#fault('has a note and no text.', key);
    if (isParts(entry)) return `readonly [${entry.map(() => 'string').join(', ')}]`;
    return this.#typeOf(entry as NotedGroup, note, all, indent);
  }

  #groupOf(english: NotedGroup, texts: Group, note: Note, at: Place): string {
    const all = note.arguments ?? at.all;
    const keys = keysOf(english);
    const linked = new Set(keys.filter((key) => noteOf(english, key).catalogue));
    this.#compareKeys(
      keys.filter((key) => !linked.has(key)),
      Object.keys(texts).filter((key) => !key.startsWith('@')),
      at.path,
    );
    const lines = keys.map((key) => {
      if (linked.has(key)) return `${key},`;
      const inside = { ...at, path: [...at.path, key], indent: `${at.indent}  `, all };
      return `${property(key)}: ${this.#entryOf(english[key] as Entry, texts[key]!, noteOf(english, key), inside)},`;
    });
    if (note === this.area.note && this.area.note.include) lines.unshift(`...${INCLUDED},`);
    const short = `{ ${lines.join(' ').replace(/,$/, '')} }`;
    if (at.path.length > 0 && short.length < 80 && !short.includes('\n')) return short;
    return `{\n${lines.map((line) => `${at.indent}  ${line}\n`).join('')}${at.indent}}`;
  }

  #entryOf(english: Entry, text: Entry, note: Note, at: Place): string {
    const key = at.path.join('.');
    if (typeof english === 'string' && typeof text === 'string') {
      const all = this.#argumentsOf(english, note, at.all, key);
      try {
        const [wanted, found] = [english, text].map((one) => [...argumentsOf(one).keys()].toSorted().join(', '));
        if (wanted !== found)
          throw new MessageFault(`the arguments are ${found || 'none'}, and in English ${wanted || 'none'}.`);
        return compileMessage(text, at.language, all);
      } catch (error) {
        throw error instanceof MessageFault ? this.#fault(error.message, key) : error;
      }
    }
    if (isParts(english) && isParts(text) && english.length === text.length)
      return `[${text.map((part) => compileMessage(part, at.language, new Map())).join(', ')}]`;
    if (isGroup(english) && isGroup(text)) return this.#groupOf(english, text, note, at);
    throw this.#fault('is of another kind than in English.', key);
  }

  /** The arguments of a message in the order of its parameters. */
  #argumentsOf(english: string, note: Note, inherited: readonly string[], key: string): Arguments {
    const order = note.arguments ?? inherited;
    const found = new Map(argumentsOf(english));
    for (const name of note.counts ?? []) found.set(name, 'count');
    const missing = [...found.keys()].filter((name) => !order.includes(name));
    if (order.length === 0 && found.size < 2) return found;
    if (missing.length > 0)
      throw this.#fault(`"@${key}" must give the order of "arguments", with ${missing.join()}.`, key);
    return new Map(order.map((name) => [name, found.get(name) ?? 'text']));
  }

  #compareKeys(english: readonly string[], found: readonly string[], path: readonly string[]): void {
    const named = (keys: readonly string[]): string => keys.map((key) => [...path, key].join('.')).join(', ');
    const missing = english.filter((key) => !found.includes(key));
    const unknown = found.filter((key) => !english.includes(key));
    if (missing.length > 0) throw this.#fault('has no text.', named(missing));
    if (unknown.length > 0) throw this.#fault('is not in English.', named(unknown));
  }

  #typeImport(folder: string): string {
    const { type } = this.#areas.get(folder)!.note;
    return `import type { ${type} } from '${relative(this.area.folder, folder)}/${kebab(type)}.js';`;
  }

  #linked(path: string): Area {
    const area = this.#areas.get(posix.join(this.area.folder, path));
    if (!area) throw this.#fault('has no en.json.', path);
    return area;
  }

  #fault(sentence: string, key: string): MessageFault {
    return new MessageFault(`${this.area.folder}/${this.#file}: ${key}: ${sentence}`);
  }
}

interface Place {
  readonly language: string;
  readonly path: readonly string[];
  readonly indent: string;
  /** The arguments that a group declares for its messages. */
  readonly all: readonly string[];
}

const header = (language: string): string =>
  `// Generated from ${language}.json by \`npm run generate\`. Do not edit.\n`;

/** The keys of texts and groups. A link to another catalogue has a note alone. */
const keysOf = (group: NotedGroup): readonly string[] => [
  ...new Set(
    Object.keys(group)
      .filter((key) => key !== '@@')
      .map((key) => key.replace(/^@/, '')),
  ),
];

function noteOf(group: NotedGroup, key: string): Note {
  const note = group[`@${key}`];
  return typeof note === 'string' ? { description: note } : ((note ?? {}) as Note);
}

/** The catalogues whose texts belong to an area, with the names of their imports. */
function linksOf({ folder, note, english }: Area): readonly { key: string; from: string; folder: string }[] {
  const at = (key: string, from: string) => ({ key, from, folder: posix.join(folder, from) });
  const inside = Object.keys(english).map((name) => [name.slice(1), noteOf(english, name.slice(1)).catalogue] as const);
  const links = inside.flatMap(([key, from]) => (from ? [at(key, from)] : []));
  return note.include ? [at(INCLUDED, note.include), ...links] : links;
}

const isParts = (entry: unknown): entry is readonly string[] => Array.isArray(entry);
const isGroup = (entry: unknown): entry is Group => typeof entry === 'object' && entry !== null && !isParts(entry);
const property = (key: string): string => (/^[A-Za-z_$][\w$]*$|^\d+$/.test(key) ? key : quoted(key));
const kebab = (name: string): string => name.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
const relative = (from: string, to: string): string => posix.relative(from, to);
