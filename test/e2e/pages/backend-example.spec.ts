import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expectMovingPicture, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

const EXAMPLE = join(import.meta.dirname, '../../../demo/backend/server.js');

/** Starts the application of docs/guides/tokens-from-your-backend.md on a free port. */
async function startExample(env: Record<string, string>) {
  const child = spawn(process.execPath, [EXAMPLE], {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(child.stdout.setEncoding('utf8'), 'data');
  return {
    origin: String(output).trim(),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

test('the application of the guide gives the presenter a publish token and viewers signed tokens', async ({
  server,
  apiSecret,
  tokens,
  browser,
}) => {
  const parent = await tokens.create('subscribe_token', { label: 'signing', streams: [{ streamName: 'keynote' }] });
  const example = await startExample({
    STREAMGATE_URL: server.origin,
    STREAMGATE_SECRET: apiSecret,
    SIGNING_TOKEN_ID: String(parent.Id),
    SIGNING_TOKEN: parent.Token,
  });
  try {
    const signIn = async (name: string) => {
      const page = await (await browser.newContext({ permissions: ['camera', 'microphone'] })).newPage();
      await page.goto(example.origin);
      await page.getByRole('textbox').fill(name);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForSelector('stream-viewer');
      return page;
    };

    const presenter = await signIn('presenter');
    await presenter.goto(`${example.origin}/present`);
    await presenter.getByRole('button', { name: 'Go live' }).click();
    await expect.poll(() => phaseOf(presenter, 'stream-broadcaster')).toBe('live');

    const viewer = await signIn('ada');
    await expectMovingPicture(viewer);

    const refused = await viewer.request.post(`${example.origin}/presenter-token`);
    expect(refused.status(), 'a viewer gets no publish token').toBe(403);
    const stranger = await fetch(`${example.origin}/viewer-token`, { method: 'POST' });
    expect(stranger.status, 'a visitor who is not signed in gets no token').toBe(401);
    await Promise.all([presenter.context().close(), viewer.context().close()]);
  } finally {
    await example.stop();
  }
});
