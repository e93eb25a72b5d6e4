/** The entry of the session storage, which belongs to one tab and ends with it. */
const KEY = 'streamgate-form';

interface KeptForm {
  readonly accountId: string;
  readonly form: object;
}

/**
 * Keeps what a person has entered, so that it is still there after a login or a reload. Must contain no secret.
 * A browser that stores nothing keeps nothing.
 */
export function keepForm(accountId: string, form: object): void {
  const kept: KeptForm = { accountId, form };
  attempt(() => sessionStorage.setItem(KEY, JSON.stringify(kept)));
}

/** What was kept for this account, as it was stored: an older version of the dashboard may have written it. */
export function keptForm(accountId: string): unknown {
  return attempt((): unknown => {
    const kept = Object(JSON.parse(sessionStorage.getItem(KEY) ?? 'null')) as Partial<KeptForm>;
    return kept.accountId === accountId ? kept.form : undefined;
  });
}

/** Whether something is kept, for whatever account. */
export const isFormKept = (): boolean => attempt(() => sessionStorage.getItem(KEY) !== null) === true;

export function forgetForm(): void {
  attempt(() => sessionStorage.removeItem(KEY));
}

/** Undefined: the browser permits no storage, it is full, or its content cannot be read. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
