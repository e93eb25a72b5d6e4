type Settable<E> = Partial<Omit<E, 'part'>> & { readonly part?: string };

/** Sets what is not so yet: a property that is written anew makes browsers work, and screen readers talk, anew. */
export function set<E extends Element>(element: E, properties: Settable<E>): E {
  for (const [name, value] of Object.entries(properties)) {
    if (Reflect.get(element, name) !== value) Reflect.set(element, name, value);
  }
  return element;
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Settable<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = set(document.createElement(tag), properties as Settable<HTMLElement>);
  element.append(...children);
  return element as HTMLElementTagNameMap[Tag];
}

const SVG = 'http://www.w3.org/2000/svg';

/** An outline of one stroke, as big as the text beside it asks. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(document.createElementNS(SVG, 'path'));
  drawIcon(svg, path);
  return svg;
}

/** Another icon in its place. */
export function drawIcon(within: Element, path: string): void {
  const drawn = within.querySelector('path')!;
  if (drawn.getAttribute('d') !== path) drawn.setAttribute('d', path);
}
