import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { timeText } from './formatting.js';

export interface TimePoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly value: number;
}

const HEIGHT = 160;
const FONT = '12px system-ui, sans-serif';
/** A chart of a longer time shows dates instead of times of day. */
const SHOWS_DATES_MS = 2 * 86_400_000;
/** The distances of the texts of the axis, in seconds: whole minutes, or whole days. */
const TIME_STEPS = [60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200];
const DATE_STEPS = [1, 2, 7, 14, 30, 60, 90].map((days) => days * 86_400);

/**
 * Draws a value over time. It has no shadow root, so that the style sheet of the library applies. Screen readers get
 * `label` instead of the picture.
 */
export class TimeChart extends LitElement {
  /** In order of time. A value holds until the next point. */
  @property({ attribute: false }) points: readonly TimePoint[] = [];
  /** What the chart shows, with its most important value. */
  @property({ attribute: false }) label = '';
  /** BCP 47 tag for dates and numbers. */
  @property({ attribute: false }) language = 'en';
  #chart: UPlot | undefined;
  readonly #resizing = new ResizeObserver(() => this.#fit());
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');

  override connectedCallback(): void {
    super.connectedCallback();
    this.#scheme.addEventListener('change', this.#redraw);
    this.#resizing.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#scheme.removeEventListener('change', this.#redraw);
    this.#resizing.disconnect();
    this.#chart?.destroy();
    this.#chart = undefined;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`<div class="chart" role="img" dir="ltr" aria-label=${this.label}></div>`;
  }

  protected override updated(): void {
    if (this.#chart) this.#chart.setData(this.#data());
    else this.#redraw();
  }

  readonly #redraw = (): void => {
    const place = this.renderRoot.querySelector<HTMLElement>('.chart');
    if (!place) return;
    this.#chart?.destroy();
    this.#chart = new UPlot(this.#options(), this.#data(), place);
  };

  #fit(): void {
    if (this.clientWidth > 0) this.#chart?.setSize({ width: this.clientWidth, height: HEIGHT });
  }

  #data(): UPlot.AlignedData {
    return [this.points.map(({ time }) => time / 1000), this.points.map(({ value }) => value)];
  }

  #options(): UPlot.Options {
    const colors = getComputedStyle(this);
    const [line, soft, accent] = ['--line', '--soft', '--accent'].map((name) => colors.getPropertyValue(name).trim());
    const { stepped } = UPlot.paths;
    const times = this.points.map(({ time }) => time);
    const lasts = (times.at(-1) ?? 0) - (times[0] ?? 0);
    const axis = { font: FONT, stroke: soft!, grid: { stroke: line!, width: 1 }, ticks: { show: false } };
    return {
      width: Math.max(1, this.clientWidth),
      height: HEIGHT,
      // The last text of the time axis may stand at the right edge, and half of it beside the edge.
      padding: [null, () => Math.ceil(widthOf(this.#timeText(times.at(-1) ?? 0, lasts)) / 2), null, null],
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_chart, _least, most) => [0, Math.max(1, Math.ceil(most * 1.1))] } },
      axes: [
        {
          ...axis,
          size: 28,
          space: 80,
          incrs: (lasts > SHOWS_DATES_MS ? DATE_STEPS : TIME_STEPS).slice(),
          values: (_chart, shown) => shown.map((time) => this.#timeText(time * 1000, lasts)),
        },
        {
          ...axis,
          size: 48,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000],
          values: (_chart, values) => values.map((value) => value.toLocaleString(this.language)),
        },
      ],
      series: [
        {},
        {
          stroke: accent!,
          fill: `color-mix(in srgb, ${accent} 18%, transparent)`,
          width: 2,
          ...(stepped && { paths: stepped({ align: 1 }) }),
          points: { show: this.points.length < 2 },
        },
      ],
    };
  }

  #timeText(time: number, lasts: number): string {
    const date = new Date(time);
    return lasts > SHOWS_DATES_MS
      ? date.toLocaleDateString(this.language, { month: 'short', day: 'numeric' })
      : timeText(date.getTime(), this.language);
  }
}

function widthOf(text: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = FONT;
  return context.measureText(text).width;
}

customElements.define('time-chart', TimeChart);

declare global {
  interface HTMLElementTagNameMap {
    'time-chart': TimeChart;
  }
}
