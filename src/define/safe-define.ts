/** Registers a tag once. A second copy of this package on the page steps aside; a server has no registry. */
export function safeDefine(tag: string, element: CustomElementConstructor): void {
  const registry = globalThis.customElements as CustomElementRegistry | undefined;
  if (registry && !registry.get(tag)) registry.define(tag, element);
}
