/** Whether a parameter of the address is on. @param otherwise what holds if it is absent */
export function queryFlag(query: URLSearchParams, name: string, otherwise = false): boolean {
  const value = query.get(name);
  return value === null ? otherwise : !/^(false|0|no|off)$/i.test(value);
}
