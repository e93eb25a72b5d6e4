import { canonicalAddressRange, InvalidAddressRangeError } from '../../addresses/ip-ranges.js';
import { parse } from '../../http/request/parse.js';
import { tokenId, type TokenBody } from '../../../src/wire/management/token.js';
import { UsageError, type CliCommand, type CommandInvocation } from '../command.js';
import { callManagement } from '../management/management-calls.js';
import { findToken } from './token-lookup.js';

export const tokenBlockCommand: CliCommand = {
  name: 'token block',
  summary: 'deny an IP address or range on a token; the sessions from there end within a second',
  operands: ['ID', 'ADDRESS'],
  takesAccount: true,
  async run(invocation) {
    const { token, address } = await change(invocation, 'blockAddress');
    return { data: token, text: textOf(token), note: `token ${token.id} denies ${address}` };
  },
};

export const tokenUnblockCommand: CliCommand = {
  name: 'token unblock',
  summary: 'no longer deny an IP address or range on a token, written as token show has it',
  operands: ['ID', 'ADDRESS'],
  takesAccount: true,
  async run(invocation) {
    const { before, token, address } = await change(invocation, 'unblockAddress');
    const wasDenied = before.deniedIpAddresses.includes(address);
    const note = `${address} ${wasDenied ? 'is no longer' : 'was not'} in the denied addresses of token ${token.id}`;
    return { data: token, text: textOf(token), note };
  },
};

interface Change {
  readonly before: TokenBody;
  readonly token: TokenBody;
  readonly address: string;
}

async function change(invocation: CommandInvocation, call: 'blockAddress' | 'unblockAddress'): Promise<Change> {
  const id = parse(tokenId, invocation.operands[0]);
  const address = addressOf(invocation.operands[1] ?? '');
  return await callManagement(invocation, async (client) => {
    const { kind, token: before } = await findToken(client, id);
    const calls = kind === 'publish' ? client.publishTokens : client.subscribeTokens;
    return { before, token: await calls[call](id, address), address };
  });
}

/** As tokens have it. */
function addressOf(text: string): string {
  try {
    return canonicalAddressRange(text);
  } catch (error) {
    if (error instanceof InvalidAddressRangeError) throw new UsageError(`ADDRESS ${error.message}`);
    throw error;
  }
}

const textOf = ({ deniedIpAddresses }: TokenBody): string => deniedIpAddresses.join('\n');
