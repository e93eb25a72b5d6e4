/** Registers a tag, unless another copy of this package has done so. A server has no registry. */
export function safeDefine(tag: string, element: CustomElementConstructor): void {
  const registry = globalThis.customElements as CustomElementRegistry | undefined;
  if (registry && !registry.get(tag)) registry.define(tag, element);
}
