import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { commands } from '../../server/cli/commands.ts';
import { endpoints } from '../../server/http/endpoints/endpoints.ts';
import { root } from '../run-command.ts';
import { analyzeTags } from './analyze-tags.ts';
import { callPage } from './call-page.ts';
import { commandPage } from './command-page.ts';
import { attributeNames, eventNames, reactHandlers, videoMembers } from './framework-lists.ts';
import { referencePage } from './reference-page.ts';

/**
 * All files that are generated from the classes of the tags, the declarations of the endpoints and the
 * commands, and the pages of docs/errors: path, and text.
 */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const tags = await analyzeTags();
  const texts: [path: string, text: string][] = [
    ['src/management/error-code.ts', errorCodes()],
    ['src/markup/attribute-names.ts', attributeNames(tags)],
    ['src/markup/event-names.ts', eventNames(tags)],
    ['src/react/event-handlers.ts', reactHandlers(tags)],
    ['src/elements/viewer/video-members.ts', videoMembers(tags)],
    ...tags.map((tag): [string, string] => [`docs/reference/${tag.name}.md`, referencePage(tag)]),
    ['docs/reference/calls.md', callPage(endpoints)],
    ['docs/reference/commands.md', commandPage(commands)],
  ];
  return new Map(await Promise.all(texts.map(async ([path, text]) => [path, await formatted(path, text)] as const)));
}

/** A union of the codes, so that a misspelt one does not compile. Each has a page, so the pages are the list. */
function errorCodes(): string {
  const pages = readdirSync(join(root, 'docs/errors')).filter((name) => name !== 'README.md');
  return `// Generated from the pages of docs/errors by \`npm run generate\`. Do not edit.

/** Every code that has a page in docs/errors. */
export type ErrorCode = ${pages
    .toSorted()
    .map((name) => `\n  | '${name.replace('.md', '')}'`)
    .join('')};
`;
}

async function formatted(path: string, text: string): Promise<string> {
  const file = join(root, path);
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
