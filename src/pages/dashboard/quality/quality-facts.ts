import { html, nothing, type TemplateResult } from 'lit';
import type { SessionQuality } from '../../../wire/management/session.js';
import type { ViewingQualityBody, WorstFiveMinutes } from '../../../wire/management/statistics.js';
import { dateTimeText, durationText, percentText } from '../formatting.js';
import type { QualityMessages } from './messages/quality-messages.js';

interface Texts {
  readonly messages: QualityMessages;
  /** BCP 47 tag. */
  readonly language: string;
}

/** What one viewer saw, as short facts. Nothing if they reported nothing. */
export function sessionQualityFacts(
  quality: SessionQuality | null,
  { messages, language }: Texts,
): TemplateResult | typeof nothing {
  if (!quality) return nothing;
  const { device, height, freezes, frozenSeconds, firstPictureSeconds } = quality;
  const devices: Readonly<Record<string, string>> = messages.devices;
  return html`
    ${device === 'unknown' ? nothing : html`<span>${devices[device] ?? device}</span>`}
    ${height === null ? nothing : html`<span dir="ltr">${height}p</span>`}
    ${
      firstPictureSeconds === null
        ? nothing
        : html`<span>${messages.pictureAfter(durationText(firstPictureSeconds, language))}</span>`
    }
    ${
      !freezes || frozenSeconds === null
        ? nothing
        : html`<span class="is-off"
            >${messages.freezes(freezes.toLocaleString(language), durationText(frozenSeconds, language))}</span
          >`
    }
  `;
}

/** What all viewers of a stream saw, and when it was worst. */
export function streamQuality(
  { quality, worst }: { readonly quality: ViewingQualityBody | null; readonly worst: WorstFiveMinutes | null },
  { messages, language }: Texts,
): TemplateResult {
  if (!quality) return html`<p class="soft">${messages.nothing}</p>`;
  const { playedSeconds, frozenSeconds, firstPictureMedianSeconds, firstPictureP95Seconds } = quality;
  const { height, roundTripSeconds, loss } = quality;
  const rows: readonly (readonly [name: string, value: string | undefined])[] = [
    [messages.frozen, playedSeconds > 0 ? percentText(frozenSeconds / playedSeconds, language) : undefined],
    [
      messages.firstPicture,
      firstPictureMedianSeconds === null || firstPictureP95Seconds === null
        ? undefined
        : messages.within(
            durationText(firstPictureMedianSeconds, language),
            durationText(firstPictureP95Seconds, language),
          ),
    ],
    [messages.resolution, height === null ? undefined : `${height}p`],
    [messages.roundTrip, roundTripSeconds === null ? undefined : durationText(roundTripSeconds, language)],
    [messages.loss, loss === null ? undefined : percentText(loss, language)],
  ];
  return html`
    <dl>
      ${rows.map(([name, value]) =>
        value === undefined
          ? nothing
          : html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
      )}
    </dl>
    ${worst ? worstPart(worst, { messages, language }) : nothing}
  `;
}

function worstPart(
  { time, viewers, frozenViewers, cause }: WorstFiveMinutes,
  { messages, language }: Texts,
): TemplateResult {
  const causes: Readonly<Record<string, string>> = messages.causes;
  const when = dateTimeText(time, language);
  const [frozen, all] = [frozenViewers.toLocaleString(language), viewers.toLocaleString(language)];
  return html`
    <h4>${messages.worst}</h4>
    <p>${messages.worstAt(when, frozen, viewers, all)} ${causes[cause] ?? ''}</p>
  `;
}
