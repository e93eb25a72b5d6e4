import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as events from '../../src/elements/events.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const built = (file: string) => JSON.parse(read(`dist/${file}`));

const manifest = built('custom-elements.json');
const webTypes = built('web-types.json');
const html = built('vscode.html-custom-data.json');
const css = built('vscode.css-custom-data.json');

type Entry = { readonly name: string; readonly description?: unknown };
const names = (list: readonly Entry[] = []): string[] => list.map(({ name }) => name).toSorted();
const unique = (list: readonly string[]): string[] => [...new Set(list)].toSorted();

/** Our own events, by the names of their classes. */
const EVENTS = new Map<string, string>(
  Object.values(events).map((type) => [type.name, Reflect.construct(type, []).type]),
);
/** Events of objects inside a tag. Pages do not receive them. */
const INNER = new Set(['change', 'phasechange']);

/** The names of all events that a source makes: those of our event classes, and those that are forwarded from a list. */
function eventsMadeIn(source: string): string[] {
  const ours = [...source.matchAll(/\bnew (\w+Event)\(/g)].flatMap(([, type]) => EVENTS.get(type!) ?? []);
  const plain = [...source.matchAll(/\bnew (?:Custom)?Event\(([^)]*)/g)].flatMap(([, text]) => wordsIn(text!));
  const repeated = [...source.matchAll(/\bVIDEO_EVENTS = \[([^\]]+)\]/g)].flatMap(([, text]) => wordsIn(text!));
  return unique([...ours, ...plain, ...repeated].filter((event) => !INNER.has(event)));
}

const wordsIn = (text: string): string[] => [...text.matchAll(/'([\w-]+)'/g)].map(([, word]) => word!);

/** The sources of a tag, including those that both tags share. */
function sourcesOf(who: string): string {
  const files = (folder: string, recursive: boolean) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true, recursive })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  return [...files('src/elements', false), ...files(`src/elements/${who}`, true)].join('\n');
}

for (const who of ['viewer', 'broadcaster']) {
  const name = `stream-${who}`;
  describe(`the editor data of <${name}>`, async () => {
    const element = read(`src/elements/${who}/${name}-element.ts`);
    const documented = (tag: string, pattern: string, source = element) =>
      unique([...source.matchAll(new RegExp(`@${tag} ${pattern}`, 'g'))].map(([, word]) => word!));
    // Inherited members count.
    const inherited = who === 'viewer' ? read('src/elements/viewer/custom-video-element.ts') : '';
    // The built class.
    const exported = await import(join(ROOT, 'dist/elements.js'));
    const attributes: readonly string[] =
      exported[who === 'viewer' ? 'StreamViewerElement' : 'StreamBroadcasterElement'].observedAttributes;
    const own = {
      attributes: unique(attributes),
      // A dash follows the name; the slot without a name has only the dash.
      slots: unique(documented('slot', '(?:([\\w-]+) )?-').map((name) => name ?? '')),
      parts: documented('csspart', '([\\w-]+)'),
      cssProperties: documented('cssprop', '\\[?(--[\\w-]+)'),
      states: documented('cssstate', '([\\w-]+)'),
      events: documented('fires', '\\{\\w+\\} ([\\w-]+)', `${element}${inherited}`),
    };
    const declared = manifest.modules
      .flatMap(({ declarations }: { declarations: { tagName: string }[] }) => declarations)
      .find(({ tagName }: { tagName: string }) => tagName === name);
    const typed = webTypes.contributions.html.elements.find((one: Entry) => one.name === name);
    const tag = html.tags.find((one: Entry) => one.name === name);

    it('is not empty', () => {
      for (const [respect, list] of Object.entries(own)) assert.notEqual(list.length, 0, respect);
    });

    it('is complete in the custom elements manifest', () => {
      assert.deepEqual(
        {
          attributes: names(declared.attributes),
          slots: names(declared.slots),
          parts: names(declared.cssParts),
          cssProperties: names(declared.cssProperties),
          states: names(declared.cssStates),
          events: names(declared.events),
        },
        own,
      );
    });

    it('is complete for JetBrains', () => {
      assert.deepEqual(
        {
          attributes: names(typed.attributes),
          slots: names(typed.slots),
          parts: names(typed.css.parts),
          cssProperties: names(typed.css.properties),
          states: names(typed.css['pseudo-classes']).map((state) => state.replace(/^state\((.+)\)$/, '$1')),
          events: names(typed.js.events),
        },
        own,
      );
    });

    it('is complete for VS Code', () => {
      assert.deepEqual(names(tag.attributes), own.attributes);
      const { value } = tag.description;
      for (const word of [own.slots, own.parts, own.cssProperties, own.states, own.events].flat()) {
        assert.ok(value.includes(`- \`${word || '(default)'}\``), word);
      }
      const has = (list: readonly Entry[], wanted: readonly string[]) =>
        assert.deepEqual(
          wanted.filter((word) => !names(list).includes(word)),
          [],
        );
      has(css.properties, own.cssProperties);
      has(
        css.pseudoElements,
        own.parts.map((part) => `::part(${part})`),
      );
      has(
        css.pseudoClasses,
        own.states.map((state) => `:state(${state})`),
      );
    });

    it('has a description for every attribute, property, slot, part, custom property and event', () => {
      const mute = [
        declared.attributes,
        declared.members.filter(({ inheritedFrom }: { inheritedFrom?: unknown }) => !inheritedFrom),
        declared.slots,
        declared.cssParts,
        declared.cssProperties,
        declared.events,
      ]
        .flat()
        .filter(({ description }: Entry) => !description);
      assert.deepEqual(names(mute), []);
    });

    it('lists no private member', () => {
      assert.deepEqual(
        names(declared.members).filter((member) => member.startsWith('#')),
        [],
      );
      assert.equal(
        declared.members.some(({ privacy = 'public' }) => privacy !== 'public'),
        false,
      );
    });

    // Slots, parts, custom properties and states are compared with the tag itself, in a browser: test/e2e/pages/states.spec.ts.
    it('has every event that its sources dispatch', () => {
      const made = eventsMadeIn(sourcesOf(who));
      assert.ok(made.includes('stream-live'), 'the events were found');
      assert.deepEqual(
        made.filter((event) => !own.events.includes(event)),
        [],
      );
    });

    it('is compared with the events of every form of dispatch', () => {
      const made = eventsMadeIn(`yield new StreamEndedEvent(name);
        this.dispatchEvent(new Event('stalling'));
        const VIDEO_EVENTS = ['seeking', 'seeked'];
        host.dispatchEvent(new CustomEvent(isOn ? 'on' : 'off', { detail }));`);
      assert.deepEqual(made, ['off', 'on', 'seeked', 'seeking', 'stalling', 'stream-ended']);
    });

    it('has no event that its sources do not dispatch', () => {
      const made = eventsMadeIn(sourcesOf(who));
      assert.deepEqual(
        own.events.filter((event) => !made.includes(event)),
        [],
      );
    });
  });
}

describe('the manifests', () => {
  it('name existing modules of the package', () => {
    for (const { path } of manifest.modules) assert.ok(read(path).length > 0, path);
  });

  it('list the values that an attribute accepts', () => {
    const tag = html.tags.find(({ name }: Entry) => name === 'stream-broadcaster');
    const codec = tag.attributes.find(({ name }: Entry) => name === 'codec');
    assert.deepEqual(names(codec.values), ['auto', 'av1', 'h264', 'vp8', 'vp9']);
  });

  it('are at the paths of package.json', () => {
    const { customElements, exports, 'web-types': jetBrains } = JSON.parse(read('package.json'));
    assert.deepEqual([customElements, jetBrains], ['./dist/custom-elements.json', './dist/web-types.json']);
    for (const file of [
      'custom-elements.json',
      'web-types.json',
      'vscode.html-custom-data.json',
      'vscode.css-custom-data.json',
    ]) {
      assert.equal(exports[`./${file}`], `./dist/${file}`);
    }
  });

  it('describe both tags in a custom property that both have', () => {
    const background = css.properties.filter(({ name }: Entry) => name === '--stream-background');
    assert.equal(background.length, 1);
    assert.match(background[0].description.value, /<stream-broadcaster>.+\n\n`<stream-viewer>/);
  });

  it('give JetBrains the version of the package', () => {
    assert.equal(webTypes.version, JSON.parse(read('package.json')).version);
  });
});
