import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** A node of ESTree with its extension for TypeScript. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** One TypeScript file, parsed. */
export class SourceFile {
  readonly #text: string;
  readonly nodes: readonly SyntaxNode[];

  constructor(
    readonly path: string,
    text: string,
  ) {
    this.#text = text;
    const { program, errors } = parseSync(path, text, { lang: 'ts' });
    if (errors.length > 0 || !isNode(program)) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
    this.nodes = [...descendants(program)];
  }

  /** A node of this file, and what is below it. */
  nodesIn(node: SyntaxNode): readonly SyntaxNode[] {
    return [...descendants(node)];
  }

  /** `server/app.ts:12`, for the message of a test. */
  location({ start }: SyntaxNode): string {
    return `${this.path}:${this.#text.slice(0, start).split('\n').length}`;
  }

  /** What a name, or a member of the same class, is in this file: the value of the constant or field, or the function. */
  definitionOf(use: SyntaxNode): SyntaxNode | undefined {
    if (use.type !== 'MemberExpression') return this.#definition(use);
    const name = nameOf(use['property']);
    const field = this.nodes.find(({ type, key }) => type === 'PropertyDefinition' && nameOf(key) === name);
    return field && childOf(field, 'value');
  }

  /** The constant or function with this name in the file: the nearest above the use, else the first. */
  #definition(use: SyntaxNode): SyntaxNode | undefined {
    const name = nameOf(use);
    const found = this.nodes.filter(
      ({ type, id }) => (type === 'VariableDeclarator' || type === 'FunctionDeclaration') && nameOf(id) === name,
    );
    const nearest = found.findLast(({ start }) => start < use.start) ?? found[0];
    return nearest?.type === 'VariableDeclarator' ? childOf(nearest, 'init') : nearest;
  }

  /** Every string that an expression can be. A conditional has both. Undefined if it is known at run time only. */
  texts(node: SyntaxNode | undefined): readonly string[] | undefined {
    switch (node?.type) {
      case 'Literal':
        return typeof node['value'] === 'string' ? [node['value']] : undefined;
      case 'Identifier':
        return this.texts(this.#definition(node));
      case 'ConditionalExpression': {
        const [yes, no] = [this.texts(childOf(node, 'consequent')), this.texts(childOf(node, 'alternate'))];
        return yes && no && [...yes, ...no];
      }
      default:
        return undefined;
    }
  }

  /** The property names of an object, including spread ones. Undefined if they are known at run time only. */
  keys(node: SyntaxNode | undefined): readonly string[] | undefined {
    switch (node?.type) {
      case 'ObjectExpression': {
        const keys = childrenOf(node, 'properties').map((property) =>
          property.type === 'SpreadElement'
            ? this.keys(childOf(property, 'argument'))
            : [nameOf(property['key']) ?? '?'],
        );
        return keys.every((some) => some !== undefined) ? keys.flat() : undefined;
      }
      case 'Identifier':
        return this.keys(this.#definition(node));
      case 'CallExpression':
        return this.#keysOfResult(childOf(node, 'callee'));
      // `...(known && { known })`
      case 'LogicalExpression':
        return this.keys(childOf(node, 'right'));
      default:
        return undefined;
    }
  }

  #keysOfResult(callee: SyntaxNode | undefined): readonly string[] | undefined {
    const called = callee?.type === 'Identifier' ? this.#definition(callee) : undefined;
    if (!called) return undefined;
    const body = childOf(called, 'body');
    if (body?.type !== 'BlockStatement') return this.keys(body);
    const answers = [...descendants(body)].filter(({ type }) => type === 'ReturnStatement');
    return answers.length === 1 ? this.keys(childOf(answers[0]!, 'argument')) : undefined;
  }
}

/**
 * Every TypeScript file below a folder, without builds and packages.
 * @param mentioning only those with this in their text, because to parse all takes seconds
 */
export function sourceFiles(root: string, folder: string, mentioning = /(?:)/): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^(?:dist|node_modules)\b/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
    .filter(([, text]) => mentioning.test(text))
    .map(([path, text]) => new SourceFile(path, text));
}

/** The name of an identifier or private identifier, or the value of a string literal. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const name = node['name'] ?? node['value'];
  return typeof name === 'string' ? name : undefined;
}

export function childOf(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const child = node[field];
  return isNode(child) ? child : undefined;
}

export function childrenOf(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const children = node[field];
  return Array.isArray(children) ? children.filter(isNode) : [];
}

/** The value of a property of an object literal. */
export function propertyOf(node: SyntaxNode, name: string): SyntaxNode | undefined {
  const property = childrenOf(node, 'properties').find((one) => nameOf(one['key']) === name);
  return property && childOf(property, 'value');
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function* descendants(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* descendants(child);
  }
}
