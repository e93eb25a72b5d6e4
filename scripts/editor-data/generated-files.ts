import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../run-command.ts';
import { analyzeTags } from './analyze-tags.ts';
import { attributeNames, eventNames, reactHandlers, videoMembers } from './framework-lists.ts';
import { referencePage } from './reference-page.ts';

/** All files that are generated from the classes of the tags: path in the repository, and text. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const tags = await analyzeTags();
  const texts: [path: string, text: string][] = [
    ['src/markup/attribute-names.ts', attributeNames(tags)],
    ['src/markup/event-names.ts', eventNames(tags)],
    ['src/react/event-handlers.ts', reactHandlers(tags)],
    ['src/elements/viewer/video-members.ts', videoMembers(tags)],
    ...tags.map((tag): [string, string] => [`docs/reference/${tag.name}.md`, referencePage(tag)]),
  ];
  return new Map(await Promise.all(texts.map(async ([path, text]) => [path, await formatted(path, text)] as const)));
}

async function formatted(path: string, text: string): Promise<string> {
  const file = join(root, path);
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
