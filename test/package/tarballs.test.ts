import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright';
import { preview } from 'vite';
import { packPackage } from '../../scripts/pack.js';
import { browserArguments } from '../../scripts/find-browser.js';
import { toolPath } from '../../scripts/tools.js';
import { hasEnded, printed } from '../support/program.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** The two packages as the registry would deliver them: tarballs, installed into an empty folder. */
describe('the packed tarballs', () => {
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'streamgate-consumer-'));
    cpSync(join(import.meta.dirname, 'consumer'), folder, { recursive: true });
    const tarballs = await Promise.all([packPackage(), packPackage('server')]);
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('contain no source, test or secret', () => {
    for (const name of ['streamgate', '@streamgate/server']) {
      const files = readdirSync(join(folder, 'node_modules', name), { recursive: true, encoding: 'utf8' });
      const strange = files.filter((file) => /(?<!\.d)\.ts$|\.test\.|\.env$|\.db$|\.key$/.test(file));
      assert.deepEqual(strange, [], name);
    }
  });

  it('have every file that their exports name, and none of them empty', () => {
    for (const name of ['streamgate', '@streamgate/server']) {
      const home = join(folder, 'node_modules', name);
      const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
      for (const target of Object.values<string | Record<string, string>>(exports)) {
        for (const file of typeof target === 'string' ? [target] : Object.values(target)) {
          assert.equal(existsSync(join(home, file)) && statSync(join(home, file)).size > 0, true, `${name} ${file}`);
        }
      }
    }
  });

  for (const name of ['streamgate', '@streamgate/server']) {
    it(`let Node import every entry of ${name} without a DOM, and start nothing`, async () => {
      // The application brings React.
      cpSync(join(root, 'node_modules/react'), join(folder, 'node_modules/react'), { recursive: true });
      const { exports } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
      const entries = Object.keys(exports).map((entry) => name + entry.slice(1));
      assert.ok(entries.length > 1);
      const script = `
        for (const one of ['document', 'window', 'HTMLElement', 'customElements', 'WebSocket', 'navigator'])
          if (one in globalThis) throw new Error(one + ' is defined');
        for (const entry of ${JSON.stringify(entries)}) {
          const options = entry.endsWith('.json') ? { with: { type: 'json' } } : undefined;
          await import(entry, options).catch((cause) => { throw new Error(entry, { cause }); });
        }
        // A timer or a socket would keep the process from ending.
        console.log(${entries.length} + ' imported');`;
      const plain = ['--no-experimental-websocket', '--no-experimental-global-navigator'];
      const { stdout } = await run(process.execPath, [...plain, '--input-type=module', '--eval', script], {
        cwd: folder,
        timeout: 60_000,
      });
      assert.equal(stdout, `${entries.length} imported\n`);
    });
  }

  it('let a vite app bundle <stream-viewer>, and run it', async () => {
    await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      cwd: folder,
    });
    const server = await preview({
      root: folder,
      configFile: false,
      preview: { host: '127.0.0.1', port: 0 },
      logLevel: 'silent',
    });
    let browser: Browser | undefined;
    try {
      const executablePath = await toolPath('chromium');
      browser = await chromium.launch({ args: [...browserArguments], executablePath });
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(server.resolvedUrls!.local[0]!);
      const viewer = page.locator('stream-viewer');
      await viewer.waitFor();
      assert.equal(await viewer.evaluate((element) => element.shadowRoot?.querySelector('video') !== null), true);
      const isGerman = await page.evaluate(() => {
        const page = globalThis as { [key: symbol]: { known: Map<string, unknown> } | undefined };
        return page[Symbol.for('streamgate.languages')]?.known.has('de');
      });
      assert.equal(isGerman, true);
      assert.deepEqual(faults, []);
    } finally {
      await browser?.close();
      await server.close();
    }
  });

  it('let `npx streamgate` start the server, which serves its pages', async () => {
    const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', DATA_DIR: join(folder, 'data') };
    // A process group of its own, because npx does not forward signals.
    const child = spawn('npx', ['--no-install', 'streamgate'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    try {
      const [, origin] = await printed(child, /Streamgate is on (\S+)/, () => output);
      const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/streamgate/package.json'), 'utf8'));
      const files = ['/streamgate.js', '/i18n/de.js', `/streamgate-${version}.js`, `/i18n/de-${version}.js`];
      for (const path of ['/healthz', '/viewer', '/broadcaster', '/dashboard', ...files]) {
        const response = await fetch(`${origin}${path}`, { headers: { 'accept-encoding': 'br' } });
        assert.equal(response.status, 200, path);
        if (files.includes(path)) assert.equal(response.headers.get('content-encoding'), 'br', path);
        await response.arrayBuffer();
      }
    } finally {
      if (!hasEnded(child)) {
        process.kill(-child.pid!, 'SIGTERM');
        await Promise.all([once(child.stdout, 'close'), once(child, 'exit')]);
      }
    }
  });

  it('have the hashes of their files for script tags', () => {
    const cdn = join(folder, 'node_modules/streamgate/dist/cdn');
    const { version, files } = JSON.parse(readFileSync(join(cdn, 'integrity.json'), 'utf8'));
    assert.equal(version, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
    const scripts = readdirSync(cdn, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    assert.deepEqual(Object.keys(files).toSorted(), scripts.toSorted());
    for (const [file, integrity] of Object.entries(files)) {
      const hash = createHash('sha384')
        .update(readFileSync(join(cdn, file)))
        .digest('base64');
      assert.equal(integrity, `sha384-${hash}`, file);
    }
  });

  it('need nothing but lit and zod in the browser', () => {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'node_modules/streamgate/package.json'), 'utf8'));
    assert.deepEqual(Object.keys(dependencies), ['lit', 'zod']);
  });
});
