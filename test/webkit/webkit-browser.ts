import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findWebKit } from '../../scripts/find-webkit.ts';
import { activityOf, haveSlept, StandstillError, type Activity } from '../../scripts/test-run/standstill.ts';
import { freePort } from '../support/free-port.ts';
import { within } from '../support/media/until.ts';
import { endProgram, hasEnded } from '../support/program.ts';

interface Look {
  /** Whether pages are asked to be dark. */
  readonly isDark?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** For how long the main thread of a page that is to answer has done nothing, when it counts as standing still. */
  readonly standstillMs?: number;
}

const SETTINGS = [
  '--automation',
  '--enable-write-console-messages-to-stdout=true',
  // A camera and a microphone of the browser's own, which pages may use.
  '--enable-mock-capture-devices=true',
];

/** Makes the bar of the browser as narrow as a phone. */
const NARROW_BAR = '* { min-width: 0; padding: 0; margin: 0; font-size: 1px; -gtk-icon-size: 1px; }';

/** Runs in the page. */
type Find<Argument> = (argument: Argument) => Element | null | undefined;

/** The key of an element in answers of WebDriver (W3C). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/**
 * WebKitGTK's MiniBrowser on a display of its own, driven by WebDriver. Each has a storage of its own, which ends with it.
 */
export class WebKitBrowser {
  readonly #children: readonly ChildProcess[];
  readonly #session: string;
  /** What its pages wrote to the console. */
  readonly #log: string;
  readonly #folder: string;
  readonly #standstillMs: number;
  #read = 0;

  static async launch(look: Look = {}): Promise<WebKitBrowser> {
    const children: ChildProcess[] = [];
    try {
      return await WebKitBrowser.#launch(look, children);
    } catch (error) {
      await endAll(children);
      throw error;
    }
  }

  /** @param children gets the processes, in the order of their end */
  static async #launch(
    { isDark = false, width = 1280, height = 900, standstillMs = STANDSTILL_MS }: Look,
    children: ChildProcess[],
  ): Promise<WebKitBrowser> {
    const programs = findWebKit();
    if (!programs) throw new Error('No WebKitGTK found. Run: node scripts/tools.ts webkit');
    const display = spawn(programs.display, ['-displayfd', '3', '-screen', '0', '2000x2400x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    children.unshift(display);
    const [number] = await within('Xvfb names its display', once(display.stdio[3]!, 'data'));
    const folder = mkdtempSync(join(tmpdir(), 'streamgate-webkit-'));
    const log = join(folder, 'console');
    writeFileSync(log, '');
    mkdirSync(join(folder, 'gtk-3.0'));
    writeFileSync(join(folder, 'gtk-3.0/gtk.css'), NARROW_BAR);
    const port = await freePort();
    const driver = spawn(programs.driver, [`--port=${port}`, '--host=127.0.0.1'], {
      env: {
        ...process.env,
        DISPLAY: `:${String(number).trim()}`,
        // A machine for tests has no graphics card, and its root has no sandbox.
        LIBGL_ALWAYS_SOFTWARE: '1',
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        GDK_BACKEND: 'x11',
        GTK_THEME: isDark ? 'Adwaita:dark' : 'Adwaita',
        NO_AT_BRIDGE: '1',
        XDG_CONFIG_HOME: folder,
        LANG: 'en_US.UTF-8',
      },
      stdio: 'ignore',
    });
    children.unshift(driver);
    const origin = `http://127.0.0.1:${port}`;
    await within('WebKitWebDriver answers', answers(`${origin}/status`, driver));
    // The driver drops what the browser prints.
    const command = `exec "$0" ${SETTINGS.join(' ')} "$@" >>"${log}" 2>&1`;
    const { sessionId } = await call<{ sessionId: string }>(`${origin}/session`, 'POST', {
      capabilities: {
        alwaysMatch: {
          'webkitgtk:browserOptions': { binary: '/bin/sh', args: ['-c', command, programs.browser] },
          timeouts: { script: 120_000, pageLoad: 120_000 },
        },
      },
    });
    const browser = new WebKitBrowser(children, `${origin}/session/${sessionId}`, { log, folder, standstillMs });
    try {
      await browser.resize(width, height);
    } catch (error) {
      await browser.close();
      throw error;
    }
    return browser;
  }

  private constructor(
    children: readonly ChildProcess[],
    session: string,
    { log, folder, standstillMs }: { readonly log: string; readonly folder: string; readonly standstillMs: number },
  ) {
    this.#children = children;
    this.#session = session;
    this.#log = log;
    this.#folder = folder;
    this.#standstillMs = standstillMs;
  }

  async goto(url: string): Promise<void> {
    await this.#call('POST', '/url', { url });
  }

  url(): Promise<string> {
    return this.#call('GET', '/url');
  }

  title(): Promise<string> {
    return this.#call('GET', '/title');
  }

  /** Gives the page this width and height. */
  async resize(width: number, height: number): Promise<void> {
    let outer = { width, height };
    // The window is larger than the page by the frame and the bar of the browser.
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await this.#call('POST', '/window/rect', outer);
      const inner = await this.evaluate(() => ({ width: innerWidth, height: innerHeight }), undefined);
      if (inner.width === width && inner.height === height) return;
      const rect = await this.#call<{ width: number; height: number }>('GET', '/window/rect');
      outer = { width: rect.width + width - inner.width, height: rect.height + height - inner.height };
    }
    throw new Error(`the page cannot be ${width} x ${height}`);
  }

  /** Runs a function in the page, with no access to what is around it here. */
  async evaluate<Argument, Result>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result> {
    return this.#run(run.toString(), argument);
  }

  /** Runs a script in the page, also where its policy allows no scripts of others. */
  async addScript(source: string): Promise<void> {
    await this.#call('POST', '/execute/sync', { script: source, args: [] });
  }

  /** Whether the function finds an element in the page. */
  async has<Argument>(find: Find<Argument>, argument: Argument): Promise<boolean> {
    return (await this.#find(find, argument)) !== undefined;
  }

  /** Clicks what the function finds in the page, as a person does. */
  async click<Argument>(find: Find<Argument>, argument: Argument): Promise<void> {
    const id = await this.#find(find, argument);
    if (id === undefined) throw new Error(`there is nothing to click: ${JSON.stringify(argument)}`);
    await this.#call('POST', `/element/${id}/click`, {});
  }

  /** Types into the element that has the focus. */
  async type(text: string): Promise<void> {
    const active = await this.#call<Record<string, string>>('GET', '/element/active');
    await this.#call('POST', `/element/${active[ELEMENT]}/value`, { text });
  }

  /** A PNG of what the window shows. */
  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.#call<string>('GET', '/screenshot'), 'base64');
  }

  /** What pages have written to the console since the last call, one message a line, with its place and kind. */
  takeConsole(): string[] {
    const text = readFileSync(this.#log, 'utf8');
    const added = text.slice(this.#read);
    this.#read = text.length;
    return added.split('\n').filter((line) => line.includes('CONSOLE'));
  }

  async close(): Promise<void> {
    await this.#call('DELETE', '').catch(() => {});
    await endAll(this.#children);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** @returns the reference of the element */
  async #find<Argument>(find: Find<Argument>, argument: Argument): Promise<string | undefined> {
    const script = `return (${find.toString()})(arguments[0])`;
    const found = await this.#call<Record<string, string> | null>('POST', '/execute/sync', {
      script,
      args: [argument],
    });
    return found?.[ELEMENT];
  }

  async #run<Result>(source: string, argument: unknown): Promise<Result> {
    const script = `const done = arguments[1];
      Promise.resolve(arguments[0]).then(${source}).then((value) => done({ value }), (error) => done({ error: String(error) }))`;
    const answer = await this.#call<{ value?: Result; error?: string }>('POST', '/execute/async', {
      script,
      args: [argument ?? null],
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    // eslint-disable-next-line typescript/no-unnecessary-type-assertion
    return answer.value as Result;
  }

  async #call<Value>(method: string, path: string, body?: object): Promise<Value> {
    const answered = new AbortController();
    try {
      return await Promise.race([
        call<Value>(this.#session + path, method, body),
        standstill(this.#children[0]!.pid!, this.#standstillMs, answered.signal),
      ]);
    } finally {
      answered.abort();
    }
  }
}

const PAGE = 'WebKitWebProces';
/** Longer than a request that a page waits for without doing anything else. */
const STANDSTILL_MS = 20_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Waits until the page stands still, and ends its process. In WebKitGTK 2.50 the main thread and the thread of a video can
 * wait for each other for ever (docs/browsers.md).
 * @param driver the process that has started the browser
 * @param answered ends the wait
 */
async function standstill(driver: number, standstillMs: number, answered: AbortSignal): Promise<never> {
  let seen: readonly Activity[] = [];
  let sleepsSince = performance.now();
  while (performance.now() - sleepsSince < standstillMs) {
    // Rejects when the call has been answered, and nobody waits any more.
    await delay(LOOK_EVERY_MS, undefined, { signal: answered });
    const now = activityOf(driver, PAGE);
    if (!haveSlept(seen, now)) sleepsSince = performance.now();
    seen = now;
  }
  for (const { pid } of seen) process.kill(pid, 'SIGKILL');
  throw new StandstillError('WebKitGTK');
}

/** A browser that answers later hangs: the call fails. */
const CALL_WITHIN_MS = 60_000;

async function call<Value>(url: string, method: string, body?: object): Promise<Value> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(CALL_WITHIN_MS),
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } };
  if (response.ok) return value;
  throw new Error(`WebDriver: ${method} ${new URL(url).pathname}: ${value.error}: ${value.message}`);
}

/** Ends programs, one after the other. */
async function endAll(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) await endProgram(child);
}

/** Waits until the driver answers. It prints nothing when it is ready. */
async function answers(url: string, driver: ChildProcess): Promise<void> {
  while (!hasEnded(driver)) {
    const ready = await fetch(url, { signal: AbortSignal.timeout(CALL_WITHIN_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await delay(20);
  }
  throw new Error(`WebKitWebDriver ended with ${driver.exitCode ?? driver.signalCode}`);
}
