const SCHEME = 'simulated:';

/** What a service does that is only played. */
export interface Scenario {
  readonly name: string;
  /** Of a refusal or a failure, its code; of what is live, how it is. */
  readonly detail: string;
}

/** An endpoint says it: `simulated:live`, `simulated:rejected/token_expired`. Undefined: there is a real service behind it. */
export function scenarioAt(endpoint: string): Scenario | undefined {
  if (!endpoint.startsWith(SCHEME)) return undefined;
  const [name = '', detail = ''] = endpoint.slice(SCHEME.length).split('/');
  return { name, detail };
}

export const simulatedEndpoint = (situation: string): string => `${SCHEME}${situation}`;
