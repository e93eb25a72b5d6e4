import { PacketBroadcast } from '../e2e/support/packet-broadcast.ts';
import { pageNames, pathOf } from '../../src/pages/dashboard/routes.ts';
import { answerAs, expectText, openPage, press } from './page-queries.ts';
import { COLOURS_AND_SIZES, expect, faultsIn, LOOKS, settled, test } from './test.ts';

for (const { name, lang, rules, isDark } of LOOKS) {
  const isEnglish = lang === 'en';
  test.describe(`the hosted pages in WebKit, ${name}`, () => {
    test('say what people need: a browser with WebRTC, a stream, a whole link', async ({
      light,
      dark,
      server: { origin },
      address: { streamName, token },
    }) => {
      const browser = isDark ? dark : light;
      const found: string[] = [];
      for (const [what, path, text] of [
        [
          'viewer',
          `/viewer?streamId=main/nothing&lang=${lang}`,
          ['This browser is not supported', 'هذا المتصفح غير مدعوم'],
        ],
        ['viewer-without-stream', `/viewer?lang=${lang}`, ['No stream selected', 'لم يتم']],
        [
          'broadcaster',
          `/broadcaster?streamName=${streamName}&lang=${lang}#token=${token}`,
          ['Allow camera and microphone', 'السماح بالكاميرا والميكروفون'],
        ],
        ['broadcaster-without-token', `/broadcaster?lang=${lang}`, ['This link is incomplete', 'هذا الرابط غير مكتمل']],
      ] as const) {
        await browser.goto(origin + path);
        await expectText(browser, text[isEnglish ? 0 : 1]);
        found.push(...(await faultsIn(browser, `${name}-${what}`, rules)));
      }
      expect(found).toEqual([]);
    });

    test('show a scheduled stream, its countdown, and one that does not exist', async ({ light, dark, server }) => {
      const browser = isDark ? dark : light;
      const start = new Date(Date.now() + 26 * 3_600_000).toISOString();
      const fields = ['--stream', 'nothing', '--title', 'Keynote', '--start', start, '--account', 'main'];
      const { path } = await server.cli('schedule', 'add', ...fields, '--description', 'A long day. '.repeat(20));
      await browser.goto(`${server.origin}${String(path)}?lang=${lang}`);
      await expectText(browser, 'Keynote');
      const found = await faultsIn(browser, `${name}-scheduled`, rules);
      await browser.goto(`${server.origin}/scheduled/${'x'.repeat(22)}?lang=${lang}`);
      await expectText(browser, isEnglish ? 'This stream does not exist' : 'هذا البث غير موجود');
      found.push(...(await faultsIn(browser, `${name}-scheduled-unknown`, rules)));
      expect(found).toEqual([]);
    });

    test('show every page of the dashboard with what is on the server', async ({
      light,
      dark,
      server,
      tokens,
      streamName,
    }) => {
      const browser = isDark ? dark : light;
      const { origin } = server;
      const broadcast = await PacketBroadcast.begin({ origin, streamName, token: await tokens.publish(streamName) });
      await tokens.subscribe(streamName, { label: 'shop', allowedOrigins: ['example.com'], maxSessions: 2 });
      await fetch(`${origin}/api/director/subscribe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${'00'.repeat(32)}` },
        body: JSON.stringify({ streamName, streamAccountId: 'main' }),
      });
      await server.cli('webhook', 'add', 'https://receiver.invalid/', '--event', 'stream.started', '--account', 'main');
      await browser.goto(`${origin}/dashboard?lang=${lang}`);
      await settled(browser);
      const found = await faultsIn(browser, `${name}-login`, rules);
      const { link } = await server.cli('dashboard', '--account', 'main');
      await browser.goto(`${origin}/dashboard?lang=${lang}${new URL(String(link)).hash}`);
      await settled(browser);
      for (const page of pageNames) {
        await browser.goto(`${origin}${pathOf(page)}?lang=${lang}`);
        await settled(browser);
        found.push(...(await faultsIn(browser, `${name}-dashboard-${page}`, rules)));
      }
      expect(found).toEqual([]);
      await broadcast.end();
    });

    test('show every page of the dashboard before there is anything, and without an answer', async ({
      light,
      dark,
      server,
      streamName,
    }) => {
      const browser = isDark ? dark : light;
      await server.cli('account', 'create', streamName);
      const { link } = await server.cli('dashboard', '--account', streamName);
      await browser.goto(`${server.origin}/dashboard?lang=${lang}${new URL(String(link)).hash}`);
      await settled(browser);
      const found: string[] = [];
      for (const page of pageNames) {
        await browser.evaluate(openPage, pathOf(page));
        await settled(browser);
        found.push(...(await faultsIn(browser, `${name}-empty-${page}`, COLOURS_AND_SIZES)));
      }
      for (const [what, path] of [
        ['loading', '/dashboard/statistics'],
        ['unreachable', '/dashboard/recordings'],
        ['failed', '/dashboard/webhooks'],
      ] as const) {
        await browser.evaluate(answerAs, what);
        await browser.evaluate(openPage, path);
        if (what !== 'loading') await settled(browser);
        found.push(...(await faultsIn(browser, `${name}-${what}`, rules)));
      }
      expect(found).toEqual([]);
    });
  });
}

test('the dashboard in WebKit is worked with by clicks and keys', async ({
  light: browser,
  server,
  tokens,
  streamName,
}) => {
  const found: string[] = [];
  await tokens.publish(streamName, { label: streamName });
  const { link } = await server.cli('dashboard', '--account', 'main');
  await browser.goto(`${server.origin}/dashboard/tokens${new URL(String(link)).hash}`);
  await press(browser, `Links and codes of ${streamName}`);
  await expectText(browser, 'WHIP address');
  found.push(...(await faultsIn(browser, 'desktop-links')));
  await press(browser, 'Done');
  await press(browser, 'New token to publish');
  await browser.type('🎥 stage');
  found.push(...(await faultsIn(browser, 'desktop-token-form')));
  await browser.goto(`${server.origin}/dashboard/security`);
  await press(browser, 'New key');
  await expectText(browser, 'Read everything');
  const titleHeight = () => document.querySelector('dialog h2')!.getBoundingClientRect().height;
  expect(await browser.evaluate(titleHeight, undefined), 'a dialog is as high as its content').toBeLessThan(60);
  found.push(...(await faultsIn(browser, 'desktop-new-key')));
  await press(browser, 'Cancel');
  await browser.goto(`${server.origin}/dashboard/schedule`);
  await press(browser, 'Schedule a stream');
  await expectText(browser, 'End (optional)');
  found.push(...(await faultsIn(browser, 'desktop-schedule-form')));
  await browser.goto(`${server.origin}/dashboard/webhooks`);
  await press(browser, 'New webhook');
  await expectText(browser, 'Address of the receiver');
  found.push(...(await faultsIn(browser, 'desktop-new-webhook')));
  expect(found).toEqual([]);
});
