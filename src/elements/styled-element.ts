import { LitElement, type CSSResult } from 'lit';

const stylesOf = new WeakMap<ShadowRoot, readonly CSSResult[]>();

/** Adds styles after those that a shadow root has. */
export function addStyles(root: ShadowRoot, ...styles: readonly CSSResult[]): void {
  const all = [...(stylesOf.get(root) ?? []), ...styles];
  stylesOf.set(root, all);
  const { defaultView: view } = root.ownerDocument;
  // Such as the document of a template: nothing is drawn in it.
  if (!view) return;
  root.adoptedStyleSheets = all.map(({ styleSheet, cssText }) => {
    if (root.ownerDocument === document) return styleSheet!;
    const own = new (view as Window & typeof globalThis).CSSStyleSheet();
    own.replaceSync(cssText);
    return own;
  });
}

/**
 * An element that can be moved into another document, such as that of a frame or of a window of Document
 * Picture-in-Picture. A style sheet is for one document, and a shadow root that is moved loses those that it has.
 */
export abstract class StyledElement extends LitElement {
  protected override createRenderRoot(): ShadowRoot {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    addStyles(root, ...((this.constructor as typeof StyledElement).elementStyles as CSSResult[]));
    return root;
  }

  /** @internal */
  adoptedCallback(): void {
    if (this.shadowRoot) addStyles(this.shadowRoot);
  }
}
