import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundled } from '../support/bundled.ts';
import { PacketBroadcast } from '../support/packet-broadcast.ts';
import { expect, test } from '../support/test.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGES = ['README.md', 'docs/*.md', 'docs/guides/*.md', 'docs/operating/*.md'];
/** The origins that the examples have. */
const SERVERS = /https:\/\/live\.example\.com|http:\/\/localhost:8080|https:\/\/your\.server/g;

/** The code of this kind in the guides. */
const code = (kind: 'html' | 'js'): string[] =>
  globSync(PAGES, { cwd: ROOT }).flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    return [...text.matchAll(new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block]) => block!);
  });

/** The tags and the frames of viewers without a token, as the guides have them. */
const viewers = (): string[] => {
  const all =
    code('html')
      .join('\n')
      .match(/<stream-viewer\b[^]*?<\/stream-viewer>|<iframe\b[^]*?<\/iframe>/g) ?? [];
  const isGuest = /^<stream-viewer\b[^>]*account-id="main"[^>]*stream-name="keynote"|\/viewer\?streamId=main\/keynote"/;
  return all.filter((tag) => isGuest.test(tag) && !/token/.test(tag));
};

/** Where the headless client is started for a viewer without a token. */
const headless = (): string[] =>
  code('js').filter((block) => /new Viewer\(\)[^]*\.start\(\{/.test(block) && !/token/.test(block));

test('the examples of the guides for viewers without a token, opened before the stream is live, wait and then play', async ({
  server,
  tokens,
  streamName,
  otherSite: site,
  page,
}) => {
  const own = (text: string) => text.replaceAll(SERVERS, server.origin).replaceAll('keynote', streamName);
  const [tags, scripts] = [viewers(), headless()];
  expect(tags.length).toBeGreaterThan(5);
  expect(scripts.length).toBe(1);
  const files = await bundled(scripts.map(own).join('\n'));
  const body = [
    `<!doctype html><script type="module" src="${server.origin}/streamgate.js"></script>`,
    '<video autoplay muted playsinline></video>',
    ...tags.map(own),
    `<script type="module" src="${files.map((file) => site.putScript(`/${file.name}`, file.code))[0]}"></script>`,
  ].join('\n');
  await page.goto(site.put('/', body));

  /** The phases of all that plays by itself. */
  const phases = async () => {
    const all = await Promise.all(
      page
        .frames()
        .map((frame) =>
          frame.evaluate(() =>
            [...document.querySelectorAll<HTMLElement & { phase?: { name: string } }>('stream-viewer')]
              .filter((tag) => Reflect.get(tag, 'autoplay'))
              .map(({ phase }) => phase?.name),
          ),
        ),
    );
    return [...new Set(all.flat())];
  };
  await expect.poll(phases).toEqual(['waiting']);
  await expect(page.getByText('We begin at eight.')).toBeVisible();

  const broadcast = await PacketBroadcast.begin({
    origin: server.origin,
    streamName,
    token: await tokens.publish(streamName),
  });
  await expect.poll(phases).toEqual(['live']);
  await expect(page.locator('body > video')).not.toHaveJSProperty('readyState', 0);
  await broadcast.end();
});
