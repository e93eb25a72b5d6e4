/** Whether a server can be asked at this address. */
export const isEndpoint = (endpoint: string): boolean => /^https?:\/\/[^/]/i.test(endpoint) && URL.canParse(endpoint);
