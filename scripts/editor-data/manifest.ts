/** The part of https://github.com/webcomponents/custom-elements-manifest that we use. */
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
  /** For a property: the attribute that sets it. */
  readonly attribute?: string;
  /** For an attribute: the property that it sets. */
  readonly fieldName?: string;
  readonly parameters?: readonly { readonly name: string; readonly optional?: boolean }[];
  readonly return?: { readonly type?: { readonly text: string } };
  readonly inheritedFrom?: { readonly name: string };
}

/**
 * The published part of the analyzer's manifest: the tags without their private members, with the paths of the package,
 * and with the literals of union types instead of the names of the types.
 *
 * @param sources the sources that define the types
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
    path: publishedPath(path),
    declarations: tags.map((tag) => publicTag(tag, unions)),
    exports: exports.map(({ declaration, ...one }) =>
      Object.assign(one, { declaration: withPublishedModule(declaration, path) }),
    ),
  };
}

function publicTag(tag: CustomElement, unions: ReadonlyMap<string, string>): CustomElement {
  const { members = [], attributes = [], events = [] } = tag;
  const withTypes = (member: Member): Member =>
    member.type ? { ...member, type: { ...member.type, text: withLiterals(member.type.text, unions) } } : member;
  return {
    ...tag,
    members: members.filter(isPublic).map(withTypes),
    attributes: attributes.map(withTypes),
    // The analyzer lists each `dispatchEvent` as another event, without a description and often without a name.
    events: events.filter(({ name, description }) => name !== undefined && description !== undefined),
  };
}

const withPublishedModule = (declaration: { readonly module?: string }, path: string) => ({
  ...declaration,
  module: publishedPath(declaration.module ?? path),
});

const publishedPath = (path: string): string => path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js');

/** Members of these classes are left out. */
const OMITTED_CLASSES: ReadonlySet<string> = new Set(['LitElement']);

/** The analyzer lists properties that a tag sets on its shadow root and on its video as fields of the tag. */
const FOREIGN_FIELDS: ReadonlySet<string> = new Set(['adoptedStyleSheets', 'playsInline']);

function isPublic({ name = '', privacy = 'public', inheritedFrom }: Member): boolean {
  if (name.startsWith('#') || FOREIGN_FIELDS.has(name)) return false;
  return privacy === 'public' && !OMITTED_CLASSES.has(inheritedFrom?.name ?? '');
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

function withLiterals(type: string, unions: ReadonlyMap<string, string>): string {
  return type.replace(/\b[A-Z]\w*\b/g, (name) => unions.get(name) ?? name);
}
