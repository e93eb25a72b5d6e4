import { executeServerCommand } from '@web/test-runner-commands';

/** Taps the middle of an element, or drags from it by some pixels. Resolves after the page received the events. */
export async function touch(target: Element, { x, y, width, height } = target.getBoundingClientRect(), by = 0) {
  const start = { x: x + width / 2, y: y + height / 2 };
  await executeServerCommand('touch', [start, { ...start, x: start.x + by }]);
}
