/** As much of https://github.com/webcomponents/custom-elements-manifest as we write. */
export interface Manifest {
  readonly modules: readonly Module[];
}

interface Module {
  readonly path: string;
  readonly declarations?: readonly CustomElement[];
  readonly exports?: readonly { readonly declaration: { readonly module?: string } }[];
}

export interface CustomElement {
  readonly tagName?: string;
  readonly description?: string;
  readonly members?: readonly Member[];
  readonly attributes?: readonly Member[];
  readonly events?: readonly Member[];
  readonly slots?: readonly Member[];
  readonly cssParts?: readonly Member[];
  readonly cssProperties?: readonly Member[];
  readonly cssStates?: readonly Member[];
}

export interface Member {
  readonly kind?: string;
  readonly name?: string;
  readonly description?: string;
  readonly type?: { readonly text: string };
  readonly default?: string;
  readonly privacy?: string;
  readonly readonly?: boolean;
  /** Of a property: the attribute that sets it. */
  readonly attribute?: string;
  /** Of an attribute: the property that it sets. */
  readonly fieldName?: string;
  readonly parameters?: readonly { readonly name: string; readonly optional?: boolean }[];
  readonly return?: { readonly type?: { readonly text: string } };
  readonly inheritedFrom?: { readonly name: string };
}

/**
 * What of the analyzer's manifest is for others: the tags without their insides, under the paths that the package
 * has, and with types that say which words they take.
 *
 * @param sources where the types are that it names
 */
export function publicManifest({ modules, ...rest }: Manifest, sources: readonly string[]): Manifest {
  const unions = literalUnions(sources);
  return {
    ...rest,
    modules: modules
      .map((module) => publicModule(module, unions))
      .filter(({ declarations = [] }) => declarations.length > 0),
  };
}

function publicModule(module: Module, unions: ReadonlyMap<string, string>): Module {
  const { path, declarations = [], exports = [] } = module;
  const tags = declarations.filter(({ tagName }) => tagName !== undefined);
  return {
    ...module,
    path: published(path),
    declarations: tags.map((tag) => publicTag(tag, unions)),
    exports: exports.map(({ declaration, ...one }) => Object.assign(one, { declaration: placed(declaration, path) })),
  };
}

function publicTag(tag: CustomElement, unions: ReadonlyMap<string, string>): CustomElement {
  const { members = [], attributes = [], events = [] } = tag;
  const shown = (member: Member): Member =>
    member.type ? { ...member, type: { ...member.type, text: spelledOut(member.type.text, unions) } } : member;
  return {
    ...tag,
    members: members.filter(isPublic).map(shown),
    attributes: attributes.map(shown),
    // The analyzer takes every `dispatchEvent` for one more event, without a sentence and often without a name.
    events: events.filter(({ name, description }) => name !== undefined && description !== undefined),
  };
}

const placed = (declaration: { readonly module?: string }, path: string) => ({
  ...declaration,
  module: published(declaration.module ?? path),
});

const published = (path: string): string => path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js');

/** What every element has is no news; nor is what every tag of Lit has. */
const NOT_TOLD: ReadonlySet<string> = new Set(['LitElement']);

/** The analyzer takes what a tag sets on its shadow root and on its video for fields of the tag. */
const NOT_ITS_OWN: ReadonlySet<string> = new Set(['adoptedStyleSheets', 'playsInline']);

function isPublic({ name = '', privacy = 'public', inheritedFrom }: Member): boolean {
  if (name.startsWith('#') || NOT_ITS_OWN.has(name)) return false;
  return privacy === 'public' && !NOT_TOLD.has(inheritedFrom?.name ?? '');
}

/** `type VideoCodec = 'vp8' | 'h264'` and the like, by name. */
function literalUnions(sources: readonly string[]): ReadonlyMap<string, string> {
  const pattern = /\btype (\w+) =\s*((?:\|?\s*'[^']*'\s*)+);/g;
  return new Map(
    sources.flatMap((source) =>
      [...source.matchAll(pattern)].map(([, name, union]) => [name!, union!.trim().replace(/^\|\s*/, '')] as const),
    ),
  );
}

function spelledOut(type: string, unions: ReadonlyMap<string, string>): string {
  return type.replace(/\b[A-Z]\w*\b/g, (name) => unions.get(name) ?? name);
}
