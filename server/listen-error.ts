/** The variables that name a TCP port to listen on. */
export type PortVariable = 'PORT' | 'RTMP_PORT';

/** A port cannot be listened on. The message names the variable that sets it. */
export class ListenError extends Error {
  override name = 'ListenError';
  readonly code = 'port_unavailable';

  constructor(variable: PortVariable, port: number, cause: unknown) {
    super(textOf(variable, port, cause), { cause });
  }
}

function textOf(variable: PortVariable, port: number, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE')
    return `port ${port} is in use, perhaps by another server: stop that server, or set ${variable} to another port`;
  if (code === 'EACCES')
    return `port ${port} needs more rights than this user has: set ${variable} to a port above 1023`;
  return `port ${port} (${variable}) cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`;
}
