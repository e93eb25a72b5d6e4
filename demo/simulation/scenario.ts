const SCHEME = 'simulated:';

/** How a simulated server behaves. */
export interface Scenario {
  readonly name: string;
  /** The code of a refusal or a failure; the health of a broadcast. */
  readonly detail: string;
}

/** The scenario of an endpoint such as `simulated:rejected/token_expired`. Undefined for the endpoint of a server. */
export function scenarioAt(endpoint: string): Scenario | undefined {
  if (!endpoint.startsWith(SCHEME)) return undefined;
  const [name = '', detail = ''] = endpoint.slice(SCHEME.length).split('/');
  return { name, detail };
}

export const simulatedEndpoint = (scenario: string): string => `${SCHEME}${scenario}`;
