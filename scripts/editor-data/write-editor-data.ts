import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run-command.ts';
import { typeSources } from './analyze-tags.ts';
import { publicManifest, type Manifest } from './manifest.ts';
import { tagsOf } from './tag.ts';
import { vscodeCssData, vscodeHtmlData } from './vscode-data.ts';
import { webTypes } from './web-types.ts';

/**
 * Reduces `dist/custom-elements.json` to the published part, and writes the same data in the formats of the editors that
 * do not read it.
 */
export function writeEditorData(): void {
  const dist = (file: string): string => join(root, 'dist', file);
  const write = (file: string, data: object): void => writeFileSync(dist(file), `${JSON.stringify(data, null, 2)}\n`);
  const analyzed: Manifest = JSON.parse(readFileSync(dist('custom-elements.json'), 'utf8'));
  const manifest = publicManifest(analyzed, typeSources());
  const tags = tagsOf(manifest);
  write('custom-elements.json', manifest);
  write('vscode.html-custom-data.json', vscodeHtmlData(tags));
  write('vscode.css-custom-data.json', vscodeCssData(tags));
  write('web-types.json', webTypes(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), tags));
}
