/** Variables whose value is never shown. A URL of a database holds a password. */
const SECRET = /SECRET|KEY|PASSWORD|DATABASE_URL/;

/** Enough to know a value again. */
const LONGEST_SHOWN = 100;

/** The credentials in a URL, as in `https://user:password@host`. */
const USER_INFO = /[^\s,/]*@/g;

/** A line for a person: which variable is wrong, how it must be, and what it is. */
export function configFaultText(name: string, message: string, value: string | undefined): string {
  if (value === undefined || SECRET.test(name)) return `${name}: ${message}`;
  const safe = value.replaceAll(USER_INFO, '…@');
  const shown = safe.length > LONGEST_SHOWN ? `${safe.slice(0, LONGEST_SHOWN)}…` : safe;
  return `${name}: ${message} (it is ${JSON.stringify(shown)})`;
}
