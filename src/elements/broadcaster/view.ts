/** What a part of the page should look like. */
export interface View {
  readonly tag: string;
  readonly props: Props;
  readonly children: readonly Child[];
}

/** Undefined and false are nothing, and keep the place of what may stand there another time. */
export type Child = View | string | number | undefined | false;

type Props = Readonly<Record<string, unknown>>;

/** What a person changes too: the attribute says only how it began. */
const LIVE: ReadonlySet<string> = new Set(['value', 'checked', 'selected', 'muted']);
const SVG = 'http://www.w3.org/2000/svg';

const drawn = new WeakMap<Element, Props>();

/** @param props attributes; `on…` handlers; of `value`, `checked`, `selected` and `muted` the property */
export function h(tag: string, props: Props = {}, ...children: readonly Child[]): View {
  return { tag, props, children };
}

/** An outline of one stroke, as big as the text beside it asks. */
export function icon(path: string): View {
  return h('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('path', { d: path }));
}

/**
 * Makes the children of a node look like this. What is of the same tag in the same place stays, with its focus and
 * whatever others wrote on it: a list whose length changes should have a parent of its own.
 */
export function draw(parent: Node, children: readonly Child[]): void {
  children.forEach((child, index) => drawAt(parent, parent.childNodes[index], child));
  while (parent.childNodes.length > children.length) parent.lastChild!.remove();
}

function drawAt(parent: Node, node: ChildNode | undefined, child: Child): void {
  const fits = (type: number, name: string) => node?.nodeType === type && node.nodeName.toLowerCase() === name;
  const place = (made: ChildNode): void => {
    if (node) node.replaceWith(made);
    else parent.appendChild(made);
  };
  if (child === undefined || child === false) {
    if (!fits(8, '#comment')) place(document.createComment(''));
  } else if (typeof child !== 'object') {
    const text = String(child);
    if (!fits(3, '#text')) place(document.createTextNode(text));
    else if (node!.nodeValue !== text) node!.nodeValue = text;
  } else {
    const { tag, props, children } = child;
    const isSvg = tag === 'svg' || tag === 'path';
    const element = fits(1, tag)
      ? (node as Element)
      : isSvg
        ? document.createElementNS(SVG, tag)
        : document.createElement(tag);
    draw(element, children);
    dress(element, props);
    if (element !== node) place(element);
  }
}

function dress(element: Element, props: Props): void {
  const before = drawn.get(element) ?? {};
  drawn.set(element, props);
  for (const name of new Set([...Object.keys(before), ...Object.keys(props)])) {
    const value = props[name];
    if (name.startsWith('on') || LIVE.has(name)) {
      if (Reflect.get(element, name) !== value) Reflect.set(element, name, value ?? null);
    } else if (value !== before[name]) {
      if (value === undefined || value === false) element.removeAttribute(name);
      else element.setAttribute(name, value === true ? '' : String(value));
    }
  }
}
