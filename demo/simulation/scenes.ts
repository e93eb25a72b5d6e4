/** Draws one frame of a generated video, 1280 by 720 pixels. */
export type Scene = (canvas: CanvasRenderingContext2D, seconds: number) => void;

export const WIDTH = 1280;
export const HEIGHT = 720;

/** A concert, for viewers. */
export const concert: Scene = (canvas, seconds) => {
  fillDown(canvas, ['#120b2e', '#3b1457', '#7a1f52']);
  for (const [index, hue] of [320, 260, 195, 35].entries()) beam(canvas, index, hue, seconds);
  canvas.fillStyle = '#0d0718';
  canvas.beginPath();
  canvas.ellipse(640, 640, 900, 170, 0, 0, Math.PI * 2);
  canvas.fill();
  for (const [index, x] of [360, 560, 760, 940].entries()) musician(canvas, x, index, seconds);
  canvas.fillStyle = '#05030c';
  for (let index = 0; index < 26; index++) head(canvas, index, seconds);
};

/** A person at a desk, for the camera of a broadcaster. */
export const deskCamera: Scene = (canvas, seconds) => {
  fillDown(canvas, ['#f2d7b6', '#d99b72', '#8f5a4a']);
  canvas.fillStyle = '#fdf3dc';
  canvas.fillRect(860, 90, 260, 300);
  canvas.fillStyle = '#c98f6b';
  canvas.fillRect(982, 90, 16, 300);
  canvas.fillRect(860, 232, 260, 16);
  plant(canvas, seconds);
  const sway = Math.sin(seconds * 0.9) * 12;
  canvas.fillStyle = '#27485c';
  round(canvas, 350 + sway * 0.4, 490, 580, 320, 150);
  canvas.fillStyle = '#e0a687';
  round(canvas, 590 + sway, 400, 100, 130, 40);
  canvas.beginPath();
  canvas.ellipse(640 + sway, 300, 118, 146, 0, 0, Math.PI * 2);
  canvas.fill();
  canvas.fillStyle = '#3a241d';
  canvas.beginPath();
  canvas.ellipse(640 + sway, 222, 132, 92, 0, Math.PI, 0);
  canvas.fill();
  for (const side of [-1, 1]) {
    canvas.beginPath();
    canvas.ellipse(640 + sway + side * 44, 300, 10, seconds % 4 < 0.15 ? 2 : 12, 0, 0, Math.PI * 2);
    canvas.fill();
  }
  canvas.lineWidth = 8;
  canvas.lineCap = 'round';
  canvas.strokeStyle = '#8c4a3a';
  canvas.beginPath();
  canvas.arc(640 + sway, 350, 34 + Math.sin(seconds * 7) * 4, 0.2 * Math.PI, 0.8 * Math.PI);
  canvas.stroke();
};

/** A window with slides, for a shared screen. */
export const slides: Scene = (canvas, seconds) => {
  fillDown(canvas, ['#24415f', '#16263a']);
  canvas.fillStyle = '#f7f9fc';
  round(canvas, 110, 80, 1060, 560, 18);
  canvas.fillStyle = '#dfe6ee';
  round(canvas, 110, 80, 1060, 56, 18);
  for (const [index, colour] of ['#ef6a5e', '#f5bd4f', '#61c454'].entries()) {
    canvas.fillStyle = colour;
    canvas.beginPath();
    canvas.arc(146 + index * 34, 108, 11, 0, Math.PI * 2);
    canvas.fill();
  }
  canvas.fillStyle = '#22364d';
  round(canvas, 170, 180, 420, 34, 8);
  canvas.fillStyle = '#b8c4d2';
  for (let line = 0; line < 6; line++) round(canvas, 170, 250 + line * 48, 360 - (line % 3) * 50, 18, 6);
  for (let bar = 0; bar < 6; bar++) {
    const height = 120 + 90 * (1 + Math.sin(seconds * 0.6 + bar));
    canvas.fillStyle = `hsl(${205 + bar * 12} 60% 50%)`;
    round(canvas, 650 + bar * 78, 590 - height, 52, height, 8);
  }
};

function fillDown(canvas: CanvasRenderingContext2D, colours: readonly string[]): void {
  const paint = canvas.createLinearGradient(0, 0, 0, HEIGHT);
  for (const [index, colour] of colours.entries()) paint.addColorStop(index / (colours.length - 1), colour);
  canvas.fillStyle = paint;
  canvas.fillRect(0, 0, WIDTH, HEIGHT);
}

function beam(canvas: CanvasRenderingContext2D, index: number, hue: number, seconds: number): void {
  const top = 220 + index * 280;
  const foot = top + Math.sin(seconds * 0.7 + index * 1.7) * 320;
  const paint = canvas.createLinearGradient(top, 0, foot, 620);
  paint.addColorStop(0, `hsl(${hue} 90% 70% / 0.75)`);
  paint.addColorStop(1, `hsl(${hue} 90% 60% / 0)`);
  canvas.fillStyle = paint;
  canvas.beginPath();
  canvas.moveTo(top - 12, 0);
  canvas.lineTo(top + 12, 0);
  canvas.lineTo(foot + 170, 640);
  canvas.lineTo(foot - 170, 640);
  canvas.fill();
}

function musician(canvas: CanvasRenderingContext2D, x: number, index: number, seconds: number): void {
  const beat = Math.abs(Math.sin(seconds * 3.2 + index)) * 10;
  canvas.fillStyle = '#0a0614';
  canvas.beginPath();
  canvas.arc(x, 404 - beat, 27, 0, Math.PI * 2);
  canvas.fill();
  round(canvas, x - 42, 430 - beat, 84, 150, 34);
  canvas.fillStyle = `hsl(${40 + index * 70} 80% 62%)`;
  canvas.save();
  canvas.translate(x, 500 - beat);
  canvas.rotate(-0.35 + Math.sin(seconds * 3.2 + index) * 0.06);
  round(canvas, -70, -9, 140, 18, 9);
  canvas.restore();
}

function head(canvas: CanvasRenderingContext2D, index: number, seconds: number): void {
  const x = index * 52 - 10;
  const y = 668 + ((index * 37) % 30) + Math.sin(seconds * 4 + index * 1.3) * 7;
  canvas.beginPath();
  canvas.arc(x, y, 27, 0, Math.PI * 2);
  canvas.fill();
  canvas.fillRect(x - 34, y + 20, 68, 90);
  if (index % 5 === 2) round(canvas, x + 14, y - 70, 15, 86, 8);
}

function plant(canvas: CanvasRenderingContext2D, seconds: number): void {
  canvas.fillStyle = '#3f6b4b';
  for (let leaf = 0; leaf < 5; leaf++) {
    canvas.save();
    canvas.translate(190, 520);
    canvas.rotate(-0.9 + leaf * 0.45 + Math.sin(seconds * 0.8 + leaf) * 0.03);
    canvas.beginPath();
    canvas.ellipse(0, -120, 34, 120, 0, 0, Math.PI * 2);
    canvas.fill();
    canvas.restore();
  }
  canvas.fillStyle = '#a3512f';
  round(canvas, 130, 510, 120, 150, 18);
}

function round(
  canvas: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): void {
  canvas.beginPath();
  canvas.roundRect(x, y, width, height, radius);
  canvas.fill();
}
