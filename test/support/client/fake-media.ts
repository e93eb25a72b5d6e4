/** A MediaStream for Node, which has none, where only its identity matters. */
export function fakeMedia(): MediaStream {
  return Object.assign(Object.create(null), { id: 'media' });
}
