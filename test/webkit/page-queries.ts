import { expect } from '@playwright/test';
import type { WebKitBrowser } from './webkit-browser.ts';

/** Waits until the page shows this text, also in shadow trees. */
export async function expectText(browser: WebKitBrowser, text: string): Promise<void> {
  await expect.poll(() => browser.evaluate(visibleText, undefined)).toContain(text);
}

/** Clicks a button or a link as soon as it is there. */
export async function press(browser: WebKitBrowser, name: string): Promise<void> {
  await expect.poll(() => browser.has(controlNamed, name), { message: `${name} is there` }).toBe(true);
  await browser.click(controlNamed, name);
}

/** Runs in the page, as the next. */
function visibleText(): string {
  const read = (root: Document | ShadowRoot): string =>
    [...root.querySelectorAll<HTMLElement>('*')]
      .map((element) => {
        const own = [...element.childNodes].filter((node) => node instanceof Text).map(({ data }) => data);
        const isVisible = own.length > 0 && !element.matches('script,style') && element.checkVisibility();
        return (isVisible ? own.join('') : '') + (element.shadowRoot ? read(element.shadowRoot) : '');
      })
      .join(' ')
      .replaceAll(/\s+/g, ' ');
  return read(document);
}

function controlNamed(name: string): Element | undefined {
  const search = (root: Document | ShadowRoot): Element | undefined => {
    for (const element of root.querySelectorAll('*')) {
      const inner = element.shadowRoot && search(element.shadowRoot);
      if (inner) return inner;
      const text = element.getAttribute('aria-label') ?? element.textContent.trim().replaceAll(/\s+/g, ' ');
      if (text === name && element.matches('a,button,summary') && element.checkVisibility()) return element;
    }
    return undefined;
  };
  return search(document);
}
