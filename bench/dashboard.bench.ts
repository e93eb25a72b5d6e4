import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type BrowserContext } from 'playwright';
import { build } from '../scripts/build.js';
import { browserArguments, findBrowser } from '../scripts/find-browser.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { installPeers } from './support/peers.js';
import { median } from './support/percentile.js';
import { progress } from './support/progress.js';

const ROUNDS = 5;
const QUICK_ROUNDS = 1;
/** Of 100. */
const ASKED_SCORE = 95;
const TOKENS = 200;
/** For the protocol by which Lighthouse drives the browser. */
const DEBUGGING_PORT = 9_333;

/** Before and after a person logs in. */
const PAGES = { login: '/dashboard', home: '/dashboard', tokens: '/dashboard/tokens' } as const;

/** The part of Lighthouse's function and result that this benchmark uses. */
type Lighthouse = (
  url: string,
  flags: Readonly<Record<string, unknown>>,
) => Promise<
  | {
      readonly lhr: {
        readonly runtimeError?: { readonly message: string };
        readonly categories: { readonly performance: { readonly score: number | null } };
        readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
      };
    }
  | undefined
>;

interface Measured {
  /** Of 100. */
  readonly score: number;
  readonly largestPaintMs: number;
  readonly blockingMs: number;
  readonly layoutShift: number;
}

/**
 * Measures how fast the dashboard is on a phone, by Lighthouse's performance score with its phone profile: a slow
 * processor and a slow mobile network, both simulated. The page to log in, the first page, and the page of tokens.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const folder = await installPeers('pages');
  const module = pathToFileURL(join(folder, 'node_modules/lighthouse/core/index.js')).href;
  const { default: lighthouse } = (await import(module)) as { readonly default: Lighthouse };
  const server = await startServer();
  const executablePath = findBrowser();
  const browser = await chromium.launch({
    args: [...browserArguments, `--remote-debugging-port=${DEBUGGING_PORT}`],
    ...(executablePath && { executablePath }),
  });
  try {
    const { secret } = await server.cli('secret', 'create');
    const tokens = new RestTokens(server.origin, String(secret));
    for (let count = 0; count < TOKENS; count += 1) await tokens.publish(`stream-${count}`);
    const cookie = await logIn(await browser.newContext(), server.dashboardLink);

    const rounds = quick ? QUICK_ROUNDS : ROUNDS;
    const measured: Record<string, Measured[]> = {};
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, path] of Object.entries(PAGES)) {
        progress(`${name}, round ${round} of ${rounds}`);
        const extraHeaders = name === 'login' ? {} : { cookie };
        (measured[name] ??= []).push(await judge(lighthouse, server.origin + path, extraHeaders));
      }
    }
    const scores = Object.values(measured).map((rounds) => median(rounds.map(({ score }) => score)));
    return {
      name: 'dashboard',
      ratio: Math.min(...scores) / ASKED_SCORE,
      against: `a Lighthouse performance score of ${ASKED_SCORE}, phone profile, the slowest of the pages`,
      figures: Object.fromEntries(Object.entries(measured).flatMap(([name, rounds]) => figuresOf(name, rounds))),
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** @returns the header of a browser that is logged in */
async function logIn(context: BrowserContext, link: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Log out', exact: true }).waitFor();
  const cookies = await context.cookies();
  await context.close();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

/** @throws {Error} Lighthouse could not judge the page */
async function judge(lighthouse: Lighthouse, url: string, extraHeaders: Readonly<Record<string, string>>) {
  const result = await lighthouse(url, {
    port: DEBUGGING_PORT,
    logLevel: 'error',
    output: 'json',
    onlyCategories: ['performance'],
    formFactor: 'mobile',
    extraHeaders,
  });
  const score = result?.lhr.categories.performance.score;
  if (!result || typeof score !== 'number')
    throw new Error(`Lighthouse could not judge ${url}: ${result?.lhr.runtimeError?.message ?? 'no score'}`);
  const value = (audit: string): number => result.lhr.audits[audit]?.numericValue ?? NaN;
  return {
    score: score * 100,
    largestPaintMs: value('largest-contentful-paint'),
    blockingMs: value('total-blocking-time'),
    layoutShift: value('cumulative-layout-shift'),
  };
}

function figuresOf(name: string, rounds: readonly Measured[]): [string, number][] {
  const of = (field: keyof Measured): number => median(rounds.map((round) => round[field]));
  return [
    [`${name}Score`, of('score')],
    [`${name}LargestPaintMs`, of('largestPaintMs')],
    [`${name}BlockingMs`, of('blockingMs')],
    [`${name}LayoutShift`, of('layoutShift')],
  ];
}
