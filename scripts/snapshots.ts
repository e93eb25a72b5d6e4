// `npm run snapshots [-- PART]` takes pictures of every state of both tags in every variant, and writes a page that shows
// all of them, in snapshots/. With PART, such as `phone-dark` or `waiting`, it takes those whose names contain it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright';
import { browserArguments } from './find-browser.ts';
import { toolPath } from './tools.ts';
import { openPlayground } from './playground-server.ts';
import { root } from './run-command.ts';

interface Variant {
  readonly name: string;
  readonly query: string;
  readonly context: BrowserContextOptions;
  /** The states of this variant. All, if absent. */
  readonly only?: RegExp;
}

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 720 }, isMobile: true, hasTouch: true };
const DESKTOP: BrowserContextOptions = { viewport: { width: 800, height: 900 } };
/** The states with the most content, for the smallest and largest sizes. */
const LONGEST =
  /\/(waiting|live, with sound|live, statistics|live, settings|paused|reconnecting|rejected: token_expired|preview$|live$)/;

const variants: readonly Variant[] = [
  ...(['dark', 'light'] as const).flatMap((scheme) =>
    (['en', 'ar'] as const).flatMap((lang) =>
      Object.entries({ phone: PHONE, desktop: DESKTOP }).map(([device, context]) => ({
        name: `${device}-${scheme}-${lang}`,
        query: `scheme=${scheme}&lang=${lang}`,
        context,
      })),
    ),
  ),
  { name: 'small-dark-de', query: 'lang=de', context: { viewport: { width: 160, height: 600 } }, only: LONGEST },
  { name: 'few-colours-en', query: '', context: { ...DESKTOP, forcedColors: 'active' }, only: LONGEST },
  { name: 'wall-dark-en', query: '', context: { viewport: { width: 1920, height: 1500 } }, only: LONGEST },
];

const part = process.argv[2] ?? '';
const folder = join(root, 'snapshots');
const taken: { readonly variant: string; readonly name: string; readonly file: string }[] = [];

async function takeAll(
  browser: Browser,
  origin: string,
  { name: variant, query, context, only }: Variant,
): Promise<void> {
  const page = await browser.newPage(context);
  await page.goto(`${origin}/state.html?${query}`);
  for (const name of Object.keys(await statesOf(page))) {
    if (only && !only.test(name)) continue;
    if (!`${variant}/${name}`.includes(part)) continue;
    const file = `${variant}/${name.replace('stream-', '').replaceAll(/[^\w]+/g, '-')}.png`;
    await show(page, name);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    await page.locator('main > *').screenshot({ path: join(folder, file) });
    taken.push({ variant, name, file });
  }
  await page.close();
  process.stdout.write(`  ${variant}\n`);
}

/** The states of the page by name, each with the custom states that it has. */
async function statesOf(page: Page): Promise<Record<string, readonly string[]>> {
  return JSON.parse((await page.locator('html[data-states]').getAttribute('data-states'))!);
}

async function show(page: Page, name: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), name);
  await page.locator(`html[data-shown="${name}"]`).waitFor({ state: 'attached' });
}

function contactSheet(): string {
  const sections = variants
    .map(({ name: variant }) => ({ variant, all: taken.filter((snapshot) => snapshot.variant === variant) }))
    .filter(({ all }) => all.length > 0)
    .map(({ variant, all }) => {
      const figures = all.map(
        ({ name, file }) =>
          `<figure><a href="${file}"><img src="${file}" alt="${name}" loading="lazy"></a><figcaption>${name.replace('stream-', '')}</figcaption></figure>`,
      );
      return `<section id="${variant}"><h2>${variant}</h2><div>${figures.join('\n')}</div></section>`;
    });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every state of both tags</title><style>
    body { margin: 24px; font: 14px/1.4 system-ui, sans-serif; background: #8a8f99; }
    section > div { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 16px; align-items: start; }
    figure { margin: 0; } img { display: block; max-width: 100%; } figcaption { padding: 3px 0; color: #000; }
  </style>${sections.join('\n')}</html>\n`;
}

rmSync(folder, { recursive: true, force: true });
const playground = await openPlayground();
const browser = await chromium.launch({
  executablePath: await toolPath('chromium'),
  args: [...browserArguments],
});
try {
  for (const variant of variants) await takeAll(browser, playground.origin, variant);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), contactSheet());
  process.stdout.write(`${taken.length} pictures: open snapshots/index.html\n`);
} finally {
  await browser.close();
  await playground.close();
}
