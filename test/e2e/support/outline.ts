/**
 * What the parts of the page's tag are, without their texts: two states with the same outline differ for axe only in
 * words. Runs in the page.
 */
export function outline(): string {
  /** Of these, only whether they are there counts. */
  const words = /^(?:aria-label|aria-valuetext|title|alt|value|placeholder|lang|dir|d|src|poster)$/;
  const partOf = (node: Node): string => {
    if (node instanceof Text) return node.data.trim() && 'text';
    if (!(node instanceof Element)) return '';
    const attributes = [...node.attributes].map(({ name, value }) => (words.test(name) ? name : `${name}=${value}`));
    const inner = [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].map(partOf).filter(Boolean);
    return `<${node.localName} ${attributes.toSorted().join(' ')}>${inner.join('')}</>`;
  };
  return partOf(document.querySelector('main')!.firstElementChild!);
}
