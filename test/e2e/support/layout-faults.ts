/**
 * Describes the parts of the tag that overflow their box, are cut off, or overlap others. Runs in the page.
 */
export function layoutFaults(): string[] {
  const tag = document.querySelector('main')!.firstElementChild!;
  const root = tag.shadowRoot!;
  const frame = tag.getBoundingClientRect();
  const isVisible = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('.visually-hidden');
  const isOutside = (inner: DOMRect, outer: DOMRect): boolean =>
    inner.left < outer.left - 1 ||
    inner.right > outer.right + 1 ||
    inner.top < outer.top - 1 ||
    inner.bottom > outer.bottom + 1;

  const texts: { what: string; owner: Element; rect: DOMRect }[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    // The browser lays out the options of a select.
    if (!owner || !node.textContent?.trim() || owner.closest('select,style') || !isVisible(owner)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) texts.push({ what: `"${node.textContent.trim()}"`, owner, rect });
  }
  const controls = [...root.querySelectorAll('button,input,select,summary')].filter(isVisible).map((owner) => ({
    what: `<${owner.localName} ${owner.getAttribute('part') ?? ''} ${owner.getAttribute('aria-label') ?? ''}>`,
    owner,
    rect: owner.getBoundingClientRect(),
  }));
  const pieces = [...texts, ...controls];

  /** A menu may scroll, and overlaps what is behind it. */
  const scroller = (owner: Element): Element | null => owner.closest('[part=settings],[part=statistics]');
  const outside = pieces.filter(({ owner, rect }) => !scroller(owner) && isOutside(rect, frame));
  const panels = [...root.querySelectorAll('[part=settings],[part=statistics]')].filter(isVisible);
  const lost = panels.filter((panel) => isOutside(panel.getBoundingClientRect(), frame));
  const cut = texts.filter(({ owner, rect }) => {
    const box = owner.closest('button,.badge,.notice,label,.cover,.panel');
    return box && !scroller(owner) && isOutside(rect, box.getBoundingClientRect());
  });
  const covered = pieces.flatMap((one, index) =>
    pieces.slice(index + 1).flatMap((other) => {
      if (one.owner.contains(other.owner) || other.owner.contains(one.owner)) return [];
      if (scroller(one.owner) !== scroller(other.owner)) return [];
      const wide = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const high = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      return wide > 1 && high > 1 ? [`${one.what} and ${other.what} overlap`] : [];
    }),
  );
  const page = document.documentElement;
  return [
    ...(page.scrollWidth > page.clientWidth ? ['the page is wider than the window'] : []),
    ...(tag.scrollWidth > tag.clientWidth || tag.scrollHeight > tag.clientHeight
      ? ['the tag is larger than its box']
      : []),
    ...outside.map(({ what }) => `${what} is outside`),
    ...lost.map((panel) => `${panel.getAttribute('part')} is outside`),
    ...cut.map(({ what }) => `${what} is cut`),
    ...covered,
  ];
}
