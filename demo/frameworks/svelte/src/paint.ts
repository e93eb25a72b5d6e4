/** The MediaStream of a canvas that a script paints. It ends when the signal aborts. */
export function paint(signal: AbortSignal): MediaStream {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
  const context = canvas.getContext('2d')!;
  let angle = 0;
  const draw = () => {
    angle = (angle + 3) % 360;
    context.fillStyle = `hsl(${angle} 60% 40%)`;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = 'white';
    context.fillRect((angle / 360) * canvas.width, 160, 40, 40);
  };
  draw();
  // A timer, because animation frames stop while the tab is hidden.
  const timer = setInterval(draw, 50);
  const media = canvas.captureStream(20);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    for (const track of media.getTracks()) track.stop();
  });
  return media;
}
