import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { chromium, type Browser, type Page } from 'playwright';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { build, preview, type PreviewServer } from 'vite';
import { browserArguments } from '../../scripts/find-browser.js';
import { toolPath } from '../../scripts/tools.js';
import { StreamBroadcaster, StreamViewer } from '../../src/react.js';

const ROOT = join(import.meta.dirname, '../..');

describe('the components for React', () => {
  let browser: Browser;
  let server: PreviewServer;
  let page: Page;
  let faults: string[];
  const outDir = mkdtempSync(join(tmpdir(), 'streamgate-react-'));

  before(async () => {
    const root = join(import.meta.dirname, 'react-app');
    await build({ root, configFile: false, logLevel: 'error', build: { outDir, emptyOutDir: true } });
    server = await preview({
      root,
      configFile: false,
      logLevel: 'silent',
      build: { outDir },
      preview: { host: '127.0.0.1', port: 0 },
    });
    const executablePath = await toolPath('chromium');
    browser = await chromium.launch({ args: [...browserArguments], executablePath });
  });

  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(outDir, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await page?.close();
    page = await browser.newPage();
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // There is no server to call.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) faults.push(message.text());
    });
    await page.goto(server.resolvedUrls!.local[0]!);
    await page.waitForFunction(() => 'show' in window);
  });

  it('set properties, and write no token into the markup', async () => {
    const seen = await page.evaluate(() => {
      window.show({ streamName: 'keynote', token: 'sesame', className: 'stage', id: 'main' }, 'At eight');
      const viewer = document.querySelector('stream-viewer')!;
      return { markup: viewer.outerHTML, streamName: viewer.streamName, token: viewer.token };
    });
    assert.deepEqual(
      { ...seen, markup: seen.markup.replace(/ (class|id)="\w+"/g, '') },
      {
        markup: '<stream-viewer><p slot="waiting">At eight</p></stream-viewer>',
        streamName: 'keynote',
        token: 'sesame',
      },
    );
    assert.match(seen.markup, / class="stage"/);
    assert.match(seen.markup, / id="main"/);
    assert.deepEqual(faults, []);
  });

  it('pass functions and objects as they are', async () => {
    const same = await page.evaluate(() => {
      const [tokenProvider, messages] = [async () => 'sesame', { live: 'On air' }];
      window.show({ tokenProvider, messages });
      const viewer = document.querySelector('stream-viewer')!;
      return [viewer.tokenProvider === tokenProvider, viewer.messages === messages];
    });
    assert.deepEqual(same, [true, true]);
  });

  it('restore the default of a property that is no longer given', async () => {
    const names = await page.evaluate(() => {
      const seen = [];
      for (const props of [{}, { streamName: 'one' }, { streamName: 'two' }, { streamName: undefined }, {}]) {
        window.show(props);
        seen.push(document.querySelector('stream-viewer')!.streamName);
      }
      return seen;
    });
    assert.deepEqual(names, ['', 'one', 'two', '', '']);
  });

  it('keep properties that other code set', async () => {
    const name = await page.evaluate(() => {
      window.show({ id: 'one' });
      document.querySelector('stream-viewer')!.streamName = 'other';
      window.show({ id: 'two' });
      return document.querySelector('stream-viewer')!.streamName;
    });
    assert.equal(name, 'other');
  });

  it('deliver each event once, to the newest handler', async () => {
    const received = await page.evaluate(() => {
      window.show(window.hearAs('first'));
      window.goLive();
      window.show(window.hearAs('second'));
      window.goLive();
      window.show({});
      window.goLive();
      return window.received;
    });
    assert.deepEqual(received, ['first keynote', 'second keynote']);
  });

  it('deliver media events, which React handles for <video> only', async () => {
    const received = await page.evaluate(() => {
      window.show(window.hearAs('video'));
      document.querySelector('stream-viewer')!.dispatchEvent(new Event('volumechange'));
      return window.received;
    });
    assert.deepEqual(received, ['video volumechange']);
  });

  it('give the element to a ref', async () => {
    const isTag = await page.evaluate(() => {
      window.show({});
      return window.current === document.querySelector('stream-viewer') && typeof window.current?.retry === 'function';
    });
    assert.equal(isTag, true);
    assert.deepEqual(faults, []);
  });

  it('call a ref when the element comes and goes, and not at each render', async () => {
    const calls = await page.evaluate(() => {
      window.show({ streamName: 'one' });
      // Strict mode takes the element away once to try it.
      const before = window.refs.splice(0);
      window.show({ streamName: 'two' });
      return [before.at(-1), window.refs];
    });
    assert.deepEqual(calls, ['stream-viewer', []]);
  });

  it('render on a server without the token', () => {
    assert.equal(
      renderToString(
        createElement(StreamViewer, {
          streamName: 'keynote',
          token: 'sesame',
          muted: true,
          className: 'stage',
          onStreamLive() {},
          onPlay() {},
        }),
      ),
      '<stream-viewer class="stage"></stream-viewer>',
    );
    assert.equal(
      renderToString(createElement(StreamBroadcaster, { simulcast: true })),
      '<stream-broadcaster></stream-broadcaster>',
    );
  });

  it('bundle only the component that is used', () => {
    const scripts = readdirSync(join(outDir, 'assets')).map((file) =>
      readFileSync(join(outDir, 'assets', file), 'utf8'),
    );
    assert.ok(scripts.some((script) => script.includes('stream-viewer')));
    assert.equal(
      scripts.some((script) => script.includes('stream-broadcaster')),
      false,
    );
  });

  it('know every event of the tags', () => {
    for (const who of ['viewer', 'broadcaster']) {
      const source = readFileSync(join(ROOT, 'src/react/event-handlers.ts'), 'utf8');
      const known = new RegExp(`STREAM_${who.toUpperCase()}_HANDLERS = \\{([^}]+)\\}`).exec(source)![1]!;
      const docs = [`stream-${who}-element.ts`, ...(who === 'viewer' ? ['custom-video-element.ts'] : [])]
        .map((file) => readFileSync(join(ROOT, `src/elements/${who}/${file}`), 'utf8'))
        .join('');
      const events = [...docs.matchAll(/@fires \{\w+\} ([\w-]+)/g)].map(([, name]) => name!);
      assert.deepEqual(
        events.filter((name) => !known.includes(`'${name}'`)),
        [],
      );
    }
  });

  it('are the only modules that import React', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const users = files.filter((file) => /from 'react'/.test(readFileSync(join(ROOT, 'src', file), 'utf8')));
    assert.deepEqual(
      users.filter((file) => !/^react[/.]/.test(file)),
      [],
    );
    assert.notEqual(users.length, 0);
  });
});
