import { expect } from '../e2e/support/expect.ts';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import {
  expectMovingPicture,
  mediaFlows,
  phaseOf,
  viewersOf,
  type StreamAddress,
  type Scripted,
  type Tag,
} from '../e2e/support/pages.ts';

/** One of the hosted pages in a Firefox, with a storage of its own. */
export class FirefoxPage implements Scripted {
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly #tag: Tag;

  private constructor(context: BrowserContext, page: Page, tag: Tag) {
    this.#context = context;
    this.#page = page;
    this.#tag = tag;
  }

  /** @param more of the query, such as `&dvr` */
  static async watch(browser: Browser, { origin, streamName, token }: StreamAddress, more = ''): Promise<FirefoxPage> {
    const address = new URL(`/viewer?streamId=main/${encodeURIComponent(streamName)}${more}`, origin);
    if (token) address.hash = `token=${token}`;
    return FirefoxPage.#open(browser, address, 'stream-viewer');
  }

  /**
   * Goes live. Resolves when media flows.
   * @param properties of the tag
   */
  static async broadcast(browser: Browser, stream: StreamAddress, properties: object = {}): Promise<FirefoxPage> {
    const { origin, streamName, token } = stream;
    const address = new URL(`/broadcaster?streamName=${encodeURIComponent(streamName)}`, origin);
    address.hash = `token=${token}`;
    const page = await FirefoxPage.#open(browser, address, 'stream-broadcaster');
    await page.set(properties);
    await page.goLive();
    await mediaFlows({ origin, streamName });
    return page;
  }

  static async #open(browser: Browser, address: URL, tag: Tag): Promise<FirefoxPage> {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width: 1280, height: 720 });
    await page.goto(address.href);
    return new FirefoxPage(context, page, tag);
  }

  evaluate<Argument, Result>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result> {
    // Puppeteer's types allow handles among the arguments. There are none here.
    return this.#page.evaluate(run as (argument: unknown) => Promise<Result>, argument);
  }

  /** Sets properties of the tag. */
  async set(properties: object): Promise<void> {
    // A tag is no value that can be returned.
    const assign = ([name, values]: readonly [string, object]) =>
      void Object.assign(document.querySelector(name)!, values);
    await this.evaluate(assign, [this.#tag, properties] as const);
  }

  async goLive(): Promise<void> {
    await this.press('Go live');
    await expect.poll(() => this.phase()).toBe('live');
  }

  /** Clicks a button of the tag as soon as it exists. */
  async press(name: string): Promise<void> {
    await this.#page.locator(`${this.#tag} >>> ::-p-aria([name="${name}"][role="button"])`).click();
  }

  phase(): Promise<string | undefined> {
    return phaseOf(this, this.#tag);
  }

  /** The viewer count that the page received. */
  viewers(): Promise<number | undefined> {
    return viewersOf(this, this.#tag);
  }

  expectMovingPicture(): Promise<void> {
    return expectMovingPicture(this, this.#tag);
  }

  /** Waits for sound in the received stream. An AudioContext has no signal on a machine without audio output. */
  async expectSound(): Promise<void> {
    const energy = () => this.evaluate(soundEnergy, this.#tag);
    await expect.poll(energy, { message: 'the received stream has sound' }).toBeGreaterThan(0);
  }

  /** Closes the page as a person closes a tab, with its unload events. */
  async close(): Promise<void> {
    if (this.#page.isClosed()) return;
    await this.#page.close();
    await this.#context.close();
  }
}

/** Runs in the page. */
async function soundEnergy(tag: Tag): Promise<number> {
  const element = document.querySelector(tag) as Element & { getStats(): Promise<RTCStatsReport | undefined> };
  const stats = [...((await element.getStats())?.values() ?? [])];
  const sound = stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio');
  return sound?.totalAudioEnergy ?? 0;
}
