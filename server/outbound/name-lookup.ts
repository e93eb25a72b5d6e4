import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/**
 * Finds the addresses of a name.
 * @throws {NameUnknownError} it has none, or no name server answers @throws the reason of the signal
 */
export type NameLookup = (name: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** No address was found for a name. The cause says why. */
export class NameUnknownError extends Error {
  override name = 'NameUnknownError';

  constructor(options?: ErrorOptions) {
    super('no address was found for the name', options);
  }
}

export interface NameLookupOptions {
  /** Names of this machine. */
  readonly hostsFile?: string;
  /** Which domains are added to short names. */
  readonly resolverFile?: string;
  /** `ADDRESS:PORT` of the name servers. Absent: those of the system, as they are at each lookup. */
  readonly nameServers?: readonly string[];
}

/** For one try at one name server; the second try waits twice as long. */
const ANSWER_TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Asks the name servers directly. `dns.lookup` would keep one of the four threads of Node until they answer, and these
 * threads read and write all files: an owner of webhooks with a slow name server could stop that.
 *
 * As the system does, the file of hosts comes first, and the search domains of resolv.conf complete short names. Other
 * sources of nsswitch.conf, such as mDNS, are not asked. `localhost` is this machine (RFC 6761, 6.3).
 */
export function nameLookup({
  hostsFile = '/etc/hosts',
  resolverFile = '/etc/resolv.conf',
  nameServers,
}: NameLookupOptions = {}): NameLookup {
  return async (name, signal) => {
    const [hosts, configuration] = await Promise.all([textOf(hostsFile), textOf(resolverFile)]);
    const known = addressesInHosts(hosts, name);
    if (known.length > 0) return known;
    let cause: unknown;
    for (const candidate of candidateNames(configuration, name)) {
      const answer = await addressesInDns(candidate, nameServers, signal);
      if (answer.found.length > 0) return answer.found;
      cause = answer.cause;
    }
    throw new NameUnknownError({ cause });
  };
}

/** A missing file is an empty one. */
async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

function addressesInHosts(hosts: string, name: string): readonly LookupAddress[] {
  const wanted = withoutLastDot(name).toLowerCase();
  const found = linesOf(hosts).flatMap(([address = '', ...names]) =>
    isIP(address) && names.some((each) => each.toLowerCase() === wanted) ? [withFamily(address)] : [],
  );
  if (found.length > 0 || !/(?:^|\.)localhost$/.test(wanted)) return found;
  return [withFamily('127.0.0.1'), withFamily('::1')];
}

/** The names that the system would look up, in its order (resolv.conf(5): `search`, `domain` and `ndots`). */
export function candidateNames(configuration: string, name: string): readonly string[] {
  if (name.endsWith('.')) return [withoutLastDot(name)];
  let domains: readonly string[] = [];
  let dots = 1;
  for (const [keyword = '', ...values] of linesOf(configuration)) {
    if (keyword === 'search') domains = values;
    if (keyword === 'domain') domains = values.slice(0, 1);
    if (keyword === 'options') dots = Number(values.findLast((value) => /^ndots:\d+$/.test(value))?.slice(6) ?? dots);
  }
  const completed = domains.map((domain) => withoutLastDot(`${name}.${domain}`)).filter((each) => each !== `${name}.`);
  return name.split('.').length > dots ? [name, ...completed] : [...completed, name];
}

async function addressesInDns(
  name: string,
  nameServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<{ readonly found: readonly LookupAddress[]; readonly cause: unknown }> {
  signal.throwIfAborted();
  // One for each lookup: it reads the name servers of the system anew, and `cancel` ends only this lookup.
  const resolver = new Resolver({ timeout: ANSWER_TIMEOUT_MS, tries: TRIES });
  if (nameServers) resolver.setServers(nameServers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    // IPv4 first: a machine without IPv6 would try the other addresses in vain.
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(withFamily) : []));
    return { found, cause: answers.find((answer) => answer.status === 'rejected')?.reason };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The words of each line, without comments. */
function linesOf(text: string): readonly (readonly string[])[] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
}

const withFamily = (address: string): LookupAddress => ({ address, family: isIP(address) });

const withoutLastDot = (name: string): string => name.replace(/\.$/, '');
