/**
 * Where an arrow key leads in the recording. The slider has all four: by itself it would go one second. 0: nowhere.
 *
 * @param isSliderOnly whether the page wants no keys but those of the slider
 */
export function directionOf(event: KeyboardEvent, isSliderOnly: boolean, dir: 'ltr' | 'rtl'): -1 | 0 | 1 {
  const { key, altKey, ctrlKey, metaKey, defaultPrevented } = event;
  if (altKey || ctrlKey || metaKey || defaultPrevented) return 0;
  const target = event.composedPath()[0] as Element;
  const isSlider = target.matches('[part=timeline-slider]');
  if (!isSlider && (isSliderOnly || target.matches('input,select,textarea'))) return 0;
  if (key === 'ArrowLeft') return dir === 'ltr' ? -1 : 1;
  if (key === 'ArrowRight') return dir === 'ltr' ? 1 : -1;
  if (!isSlider) return 0;
  return key === 'ArrowDown' ? -1 : key === 'ArrowUp' ? 1 : 0;
}
