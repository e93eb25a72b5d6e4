import type { AccountLimits } from '../../accounts/limits/account-limits.js';
import { SqlAccountLimitStore } from '../../store/tables/sql-account-limit-store.js';
import { NO_LIMITS } from '../../accounts/limits/account-limits.js';
import { withAccountContext } from '../account-context.js';
import { UsageError, type CliCommand } from '../command.js';
import { withoutUndefined } from './token-options.js';

const MOST = 1_000_000;
/** With less, no browser sends both sound and picture. */
const LEAST_KBPS = 100;

export const accountLimitsCommand: CliCommand = {
  name: 'account limits',
  summary: 'show what an account may use at most, or change it; servers know it within five seconds',
  takesAccount: true,
  options: {
    'max-publish-kbps': {
      value: 'NUMBER',
      description: 'what each broadcaster may send, of sound and picture together, in kbit/s; off: no limit',
    },
    'max-sessions': { value: 'NUMBER', description: 'sessions at the same time, on all servers; off: no limit' },
    'max-calls': {
      value: 'NUMBER',
      description: 'calls of the API by programs in a minute, on each server; off: no limit',
    },
  },
  run({ account, options, config }) {
    const change = withoutUndefined({
      maxSessions: limitOf('max-sessions', options.one('max-sessions')),
      maxCalls: limitOf('max-calls', options.one('max-calls')),
      maxPublishBitrate: bitrateOf(limitOf('max-publish-kbps', options.one('max-publish-kbps'), LEAST_KBPS)),
    });
    return withAccountContext(config, async ({ db, chooseAccountId }) => {
      const accountId = await chooseAccountId(account);
      const store = new SqlAccountLimitStore(db);
      const limits =
        Object.keys(change).length > 0
          ? await store.update(accountId, change, Date.now())
          : ((await store.all()).get(accountId) ?? NO_LIMITS);
      return { data: limits, text: textOf(limits) };
    });
  },
};

/** @returns null: no limit; undefined: it stays as it is */
function limitOf(name: string, text: string | undefined, least = 0): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'off') return null;
  if (/^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= MOST) return Number(text);
  throw new UsageError(`--${name} must be a number from ${least} to ${MOST}, or off`, {
    command: accountLimitsCommand,
  });
}

/** @returns bit/s */
function bitrateOf(kbps: number | null | undefined): number | null | undefined {
  return kbps && kbps * 1_000;
}

function textOf({ maxSessions, maxCalls, maxPublishBitrate }: AccountLimits): string {
  const kbps = maxPublishBitrate && maxPublishBitrate / 1_000;
  return [
    `sessions\t${maxSessions ?? 'no limit'}`,
    `calls per minute\t${maxCalls ?? 'no limit'}`,
    `kbit/s of a broadcaster\t${kbps ?? 'no limit'}`,
  ].join('\n');
}
