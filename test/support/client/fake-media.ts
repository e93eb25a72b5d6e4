/** Stands for a MediaStream where only its identity matters: Node has none. */
export function fakeMedia(): MediaStream {
  return Object.assign(Object.create(null), { id: 'media' });
}
