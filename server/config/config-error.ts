/** Variables whose value is never shown. The URL of a database holds a password. */
const SECRET = /SECRET|METRICS_TOKEN|JANUS_TOKEN|JANUS_ROOM_KEY|ENCRYPTION_KEY|PASSWORD|DATABASE_URL/;

const LONGEST_SHOWN = 100;

/** The credentials in a URL such as `https://user:password@host`. */
const USER_INFO = /[^\s,/]*@/g;

/** The environment cannot be used. */
export class ConfigError extends Error {
  override name = 'ConfigError';

  /** @param faults one line for each wrong variable, made by `configFaultText` */
  constructor(readonly faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** One line for a person: the variable, what its value must be, and the value. The value of a secret is left out. */
export function configFaultText(name: string, message: string, value: string | undefined): string {
  if (value === undefined || SECRET.test(name)) return `${name}: ${message}`;
  const safe = value.replaceAll(USER_INFO, '…@');
  const shown = safe.length > LONGEST_SHOWN ? `${safe.slice(0, LONGEST_SHOWN)}…` : safe;
  return `${name}: ${message} (it is ${JSON.stringify(shown)})`;
}
