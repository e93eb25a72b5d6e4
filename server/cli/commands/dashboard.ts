import { dashboardLink } from '../../accounts/dashboard-login.js';
import { publicUrlOf } from '../../config.js';
import { atAccountDesk } from '../account-desk.js';
import type { Command } from '../command.js';

export const dashboardCommand: Command = {
  name: 'dashboard',
  summary: 'make a link that opens the dashboard of an account once, within a day',
  takesAccount: true,
  run: ({ config, account }) =>
    atAccountDesk(config, async ({ choose, dashboard }) => {
      const accountId = await choose(account);
      const link = dashboardLink(publicUrlOf(config), await dashboard.createCode(accountId));
      return { data: { accountId, link }, text: link };
    }),
};
