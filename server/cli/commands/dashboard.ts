import { dashboardLink } from '../../accounts/dashboard-login.js';
import { publicUrlOf } from '../../config/config.js';
import { withAccountContext } from '../account-context.js';
import type { CliCommand } from '../command.js';

export const dashboardCommand: CliCommand = {
  name: 'dashboard',
  summary: 'create a login link for the dashboard of an account; it works once, within a day',
  takesAccount: true,
  run: ({ config, account }) =>
    withAccountContext(config, async ({ chooseAccountId, dashboard }) => {
      const accountId = await chooseAccountId(account);
      const link = dashboardLink(publicUrlOf(config), await dashboard.createCode(accountId));
      return { data: { accountId, link }, text: link };
    }),
};
