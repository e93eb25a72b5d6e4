/** Whether it is an http or https URL with a host. */
export const isEndpoint = (endpoint: string): boolean => /^https?:\/\/[^/]/i.test(endpoint) && URL.canParse(endpoint);
