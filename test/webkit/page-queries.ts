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

/** Opens another page of the dashboard, as its links do, without loading the document again. Runs in the page, as all below. */
export function openPage(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Has answers of the server not come, break off, or say that it failed. */
export function answerAs(what: 'loading' | 'unreachable' | 'failed'): void {
  const fault = { status: 'error', message: 'The database is not available.', code: 'internal', data: null };
  Response.prototype.json = () => {
    if (what === 'unreachable') return Promise.reject(new TypeError('Load failed'));
    return what === 'failed' ? Promise.resolve(fault) : new Promise(() => {});
  };
  if (what === 'failed') Object.defineProperty(Response.prototype, 'ok', { get: () => false });
}

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
