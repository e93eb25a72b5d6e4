/** `account/name`, as on the wire. It is unique because an account id has no slash. */
export function streamIdOf(accountId: string, streamName: string): string {
  return `${accountId}/${streamName}`;
}

/** The two parts of `account/name`. */
export function namesOf(streamId: string): [accountId: string, streamName: string] {
  const slash = streamId.indexOf('/');
  return [streamId.slice(0, slash), streamId.slice(slash + 1)];
}
