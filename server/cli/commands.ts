import type { CliCommand } from './command.js';
import { accountCreateCommand, accountListCommand } from './commands/account.js';
import { accountLimitsCommand } from './commands/account-limits.js';
import { backupCommand } from './commands/backup.js';
import { dashboardCommand } from './commands/dashboard.js';
import { moveCommand } from './commands/move.js';
import {
  keyCreateCommand,
  keyListCommand,
  keyRevokeCommand,
  keyRotateCommand,
  keyUpdateCommand,
} from './commands/key.js';
import {
  secretCreateCommand,
  secretDeleteCommand,
  secretRefreshCommand,
  secretShowCommand,
} from './commands/secret.js';
import { loginEndAllCommand, loginEndCommand, loginListCommand } from './commands/login.js';
import {
  memberInviteCommand,
  memberLinkCommand,
  memberListCommand,
  memberPasskeysCommand,
  memberRemoveCommand,
  memberResetCommand,
  memberUpdateCommand,
} from './commands/member.js';
import { themeResetCommand, themeSetCommand, themeShowCommand } from './commands/theme.js';
import {
  accountRecordingCommand,
  recordingDeleteCommand,
  recordingClipCommand,
  recordingKeepCommand,
  recordingFinishCommand,
  recordingLinkCommand,
  recordingListCommand,
  recordingShowCommand,
  streamClipCommand,
  streamRecordCommand,
  streamUnrecordCommand,
} from './commands/recording.js';
import { serveCommand } from './commands/serve.js';
import {
  auditCommand,
  explainCommand,
  refusalGroupsCommand,
  refusalsCommand,
  unknownAccountRefusalsCommand,
} from './commands/oversight.js';
import { sessionListCommand, sessionShowCommand, sessionStopCommand } from './commands/session.js';
import {
  scheduleAddCommand,
  scheduleChangeCommand,
  scheduleListCommand,
  scheduleRemoveCommand,
  scheduleShowCommand,
} from './commands/schedule.js';
import { signCommand } from './commands/sign.js';
import { streamLiveCommand, streamStillCommand, streamStopAllCommand, streamStopCommand } from './commands/stream.js';
import { upstreamListCommand, upstreamRemoveCommand, upstreamSetCommand } from './commands/upstream.js';
import {
  webhookListCommand,
  webhookShowCommand,
  webhookAddCommand,
  webhookChangeCommand,
  webhookRotateCommand,
  webhookTestCommand,
  webhookDeliveriesCommand,
  webhookReplayCommand,
  webhookRemoveCommand,
} from './commands/webhook.js';
import {
  statisticsStreamCommand,
  statisticsStreamsCommand,
  statisticsTokenCommand,
  statisticsTokensCommand,
  usageCommand,
} from './commands/statistics.js';
import { tokenBlockCommand, tokenUnblockCommand } from './commands/token-block.js';
import {
  tokenCreateCommand,
  tokenDeleteCommand,
  tokenDisableCommand,
  tokenEnableCommand,
  tokenImportCommand,
  tokenListCommand,
  tokenLiveCommand,
  tokenSessionsCommand,
  tokenRefreshCommand,
  tokenShowCommand,
  tokenUpdateCommand,
} from './commands/token.js';

/** Every command, in the order of the help. The first one runs when the command line names none. */
export const commands: readonly [CliCommand, ...CliCommand[]] = [
  serveCommand,
  dashboardCommand,
  themeShowCommand,
  themeSetCommand,
  themeResetCommand,
  memberListCommand,
  memberInviteCommand,
  memberLinkCommand,
  memberUpdateCommand,
  memberRemoveCommand,
  memberPasskeysCommand,
  memberResetCommand,
  loginListCommand,
  loginEndCommand,
  loginEndAllCommand,
  accountCreateCommand,
  accountListCommand,
  accountLimitsCommand,
  accountRecordingCommand,
  secretCreateCommand,
  secretShowCommand,
  secretRefreshCommand,
  secretDeleteCommand,
  keyCreateCommand,
  keyListCommand,
  keyUpdateCommand,
  keyRotateCommand,
  keyRevokeCommand,
  tokenCreateCommand,
  tokenImportCommand,
  tokenListCommand,
  tokenLiveCommand,
  tokenSessionsCommand,
  tokenShowCommand,
  tokenUpdateCommand,
  tokenDisableCommand,
  tokenEnableCommand,
  tokenRefreshCommand,
  tokenBlockCommand,
  tokenUnblockCommand,
  tokenDeleteCommand,
  signCommand,
  explainCommand,
  refusalsCommand,
  refusalGroupsCommand,
  unknownAccountRefusalsCommand,
  auditCommand,
  sessionListCommand,
  sessionShowCommand,
  sessionStopCommand,
  statisticsStreamsCommand,
  statisticsStreamCommand,
  statisticsTokensCommand,
  statisticsTokenCommand,
  usageCommand,
  streamLiveCommand,
  streamStillCommand,
  streamStopCommand,
  streamStopAllCommand,
  streamRecordCommand,
  streamUnrecordCommand,
  streamClipCommand,
  recordingListCommand,
  recordingShowCommand,
  recordingKeepCommand,
  recordingFinishCommand,
  recordingClipCommand,
  recordingLinkCommand,
  recordingDeleteCommand,
  scheduleListCommand,
  scheduleShowCommand,
  scheduleAddCommand,
  scheduleChangeCommand,
  scheduleRemoveCommand,
  upstreamListCommand,
  upstreamSetCommand,
  upstreamRemoveCommand,
  webhookListCommand,
  webhookShowCommand,
  webhookAddCommand,
  webhookChangeCommand,
  webhookRotateCommand,
  webhookTestCommand,
  webhookDeliveriesCommand,
  webhookReplayCommand,
  webhookRemoveCommand,
  backupCommand,
  moveCommand,
];

/** `token create KIND [--account ID] [OPTIONS]` */
export function commandSynopsis({ name, operands = [], takesAccount, options }: CliCommand): string {
  return [name, ...operands, ...(takesAccount ? ['[--account ID]'] : []), ...(options ? ['[OPTIONS]'] : [])].join(' ');
}
