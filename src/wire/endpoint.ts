/** Whether the text is an http or https URL with a host. */
export const isEndpoint = (endpoint: string): boolean => /^https?:\/\/[^/]/i.test(endpoint) && URL.canParse(endpoint);

/** The error in the URL of a server, and how to correct it. Undefined: there is no error. */
export function endpointFault(endpoint: string): string | undefined {
  if (isEndpoint(endpoint)) return undefined;
  const what = `The endpoint "${endpoint}"`;
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(endpoint) ?? [];
  if (scheme && !/^https?$/i.test(scheme)) return `${what} begins with "${scheme}://". Write "https://" or "http://".`;
  const host = endpoint.replace(/^\/\//, '');
  if (scheme || !/^[^/]/.test(host) || !URL.canParse(`https://${host}`)) {
    return `${what} is not a URL. Write one such as "https://live.example.com".`;
  }
  // A server on the same machine needs no TLS.
  const likely = /^(localhost|127\.|\[::1\])/i.test(host) ? 'http' : 'https';
  return `${what} has no scheme. Write "${likely}://${host}".`;
}

/** @throws {TypeError} with the message of `endpointFault` */
export function checkEndpoint(endpoint: string): void {
  const fault = endpointFault(endpoint);
  if (fault) throw new TypeError(fault);
}
