import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../run-command.ts';
import { MessageFault } from './compile-message.ts';

/** The languages beside English. Each area has a catalogue in each. */
export const LANGUAGES = ['ar', 'de', 'es', 'fr', 'ja', 'zh'] as const;

/** A text, a text in parts, or a group of texts. */
export type Entry = string | readonly string[] | Group;
export interface Group {
  readonly [key: string]: Entry;
}

/** What `en.json` says of the message or group KEY, as `@KEY`. A text is the description alone. */
export interface Note {
  readonly description?: string;
  /** The order of the parameters. Needed where there are several; of a group: of each message in it. */
  readonly arguments?: readonly string[];
  /** Arguments that are numbers, although the English text has no plural of them. */
  readonly counts?: readonly string[];
  /** A TypeScript type: exactly its keys are the keys of the group. */
  readonly keys?: string;
  /** The folder of another catalogue, whose texts are the value of KEY. */
  readonly catalogue?: string;
}

/** What `en.json` says of the whole area, as `@@`. */
export interface AreaNote extends Note {
  /** The name of the TypeScript type of the texts. */
  readonly type: string;
  /** The module that exports the type. Without it, the type is generated. */
  readonly module?: string;
  /** All languages are in the bundle of the page, because its texts are few. Else each is loaded when it is wanted. */
  readonly bundled?: boolean;
  /** The types in the `keys` of notes, and the modules that export them. */
  readonly types?: Readonly<Record<string, string>>;
  /** The folder of another catalogue, whose texts belong to this area too. */
  readonly include?: string;
}

/** The texts of one part of the pages, in all languages. */
export interface Area {
  /** Relative to the repository. */
  readonly folder: string;
  readonly note: AreaNote;
  /** With the notes. */
  readonly english: NotedGroup;
  readonly translations: ReadonlyMap<string, Group>;
}

/** A group of `en.json`, beside whose keys there are notes. */
export interface NotedGroup {
  readonly [key: string]: Entry | Note | NotedGroup;
}

/** All areas of `src`: the folders with an `en.json`. */
export function readAreas(): readonly Area[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'en.json')
    .toSorted()
    .map((path) => readArea(join('src', path, '..')));
}

function readArea(folder: string): Area {
  const english = readJson(join(folder, 'en.json')) as NotedGroup;
  const note = english['@@'] as AreaNote | undefined;
  if (!note?.type) throw new MessageFault(`${folder}/en.json does not name its type: "@@": { "type": … }`);
  const translations = LANGUAGES.map(
    (language) => [language, readJson(join(folder, `${language}.json`)) as Group] as const,
  );
  return { folder, note, english, translations: new Map(translations) };
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
