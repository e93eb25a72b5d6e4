import { refusalCodeOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

test.describe('an active viewer', () => {
  const changes: [what: string, change: object | 'delete', reason: string, shown: string][] = [
    ['is disabled', { isActive: false }, 'token_disabled', 'Your access was turned off'],
    ['expires', { expires: 1 }, 'token_expired', 'Your access has expired'],
    ['is deleted', 'delete', 'token_unknown', 'Your access is not valid'],
    ['loses the stream', { removeTokenStreams: ['*'] }, 'stream_not_permitted', 'No access to this stream'],
    [
      'is for other pages',
      { allowedOrigins: ['customer.example'] },
      'origin_not_allowed',
      'Not available on this site',
    ],
  ];

  for (const [what, change, reason, shown] of changes) {
    test(`is refused with the reason, also after a reload, when the token ${what}`, async ({
      tokens,
      streamName,
      broadcast,
      watching,
    }) => {
      await broadcast();
      const { Id, Token } = await tokens.create('subscribe_token', { streams: [{ streamName }] });
      const viewer = await watching({ token: Token });

      if (change === 'delete') await tokens.delete('subscribe_token', Id);
      else {
        const body = JSON.stringify(change).replace('"*"', JSON.stringify(streamName));
        await tokens.update('subscribe_token', Id, JSON.parse(body));
      }
      await expect.poll(() => refusalCodeOf(viewer, 'stream-viewer')).toBe(reason);
      await expect(viewer.getByText(shown)).toBeVisible();

      // A new page is refused, too.
      await viewer.reload();
      await expect.poll(() => refusalCodeOf(viewer, 'stream-viewer')).toBe(reason);
    });
  }
});
