import { html, nothing, type TemplateResult } from 'lit';
import type { RtmpAddress } from '../../../wire/management/dashboard-session.js';
import type { TokenBody } from '../../../wire/management/token.js';
import { broadcasterLink, viewerLink } from '../../address.js';
import '../../copy-field.js';
import { iframeCode, tagCode, TOKEN_PLACE } from '../../embed-code.js';
import type { PinnedFile } from '../../pinned-file.js';
import { doneButton } from '../dialog-contents.js';
import { exactName } from '../home/token-view.js';
import { qrCode } from './qr-code.js';
import { nameOf, type TokenTexts } from './token-facts.js';
import type { TokenKind } from './token-kind.js';

/** What somebody needs to use a token. */
export interface TokenUse {
  readonly kind: TokenKind;
  readonly token: TokenBody;
  /** The stream that the links are for. Empty: the person has not named one yet. */
  readonly streamName: string;
  /** Whether that stream is recorded, so that viewers can go back. */
  readonly dvr: boolean;
  /** Undefined: the server does not say which version it has. */
  readonly pinned: PinnedFile | undefined;
}

/** What the links and the codes of a token lead to. */
export interface TokenPlace {
  /** Of the dashboard. */
  readonly origin: string;
  readonly accountId: string;
  /** Null: the server takes no RTMP. */
  readonly rtmp: RtmpAddress | null;
}

/** What an encoder over RTMP is set to. */
export interface RtmpSettings {
  readonly server: string;
  readonly streamKey: string;
}

const RTMP_PORT = 1935;

/** @param origin of the dashboard */
export function rtmpSettings(
  { port, tls }: RtmpAddress,
  origin: string,
  { streamName, token }: { readonly streamName: string; readonly token: string },
): RtmpSettings {
  // RTMPS has no usual port that encoders agree on.
  const shown = tls || port !== RTMP_PORT ? `:${port}` : '';
  return {
    server: `${tls ? 'rtmps' : 'rtmp'}://${new URL(origin).hostname}${shown}/v2/pub`,
    streamKey: `${encodeURIComponent(streamName)}?token=${token}`,
  };
}

/** Whether there is a choice of stream names. */
export const permitsSeveral = ({ streams }: TokenBody): boolean =>
  streams.length > 1 || streams.some((one) => one.isRegex);

/** The stream that the links are for, before somebody chooses another. */
export const firstStream = (token: TokenBody): string => exactName(token) ?? '';

/** The address of WHIP or WHEP for a stream. */
export function ingestAddress(
  kind: TokenKind,
  streamName: string,
  { origin, accountId }: Omit<TokenPlace, 'rtmp'>,
): string {
  const stream = encodeURIComponent(streamName);
  return kind === 'publish' ? `${origin}/api/whip/${stream}` : `${origin}/api/whep/${accountId}/${stream}`;
}

/** The value of a token, and the links and the code that contain it, to copy. */
export function useDialog(
  use: TokenUse,
  place: TokenPlace,
  { texts, onStream }: { texts: TokenTexts; onStream: (streamName: string) => void },
): TemplateResult {
  const { kind, token, streamName } = use;
  const { messages, common } = texts;
  return html`
    <h2 id="dialog" dir="auto">${messages.useOf(nameOf(token, common))}</h2>
    ${copyField(messages.value, token.token, texts)}
    <p class="soft">${messages.valueEffect[kind]}</p>
    ${permitsSeveral(token) ? streamChoice(use, texts, onStream) : nothing}
    ${streamName ? (kind === 'publish' ? publishing(use, place, texts) : watching(use, place, texts)) : nothing}
    ${doneButton(common)}
  `;
}

function streamChoice(
  { token, streamName }: TokenUse,
  { messages }: TokenTexts,
  onStream: (streamName: string) => void,
): TemplateResult {
  const names = token.streams.filter(({ isRegex }) => !isRegex);
  return html`
    <div class="fields">
      <label
        >${messages.streamToUse}
        <input
          list="streams-of-token"
          maxlength="128"
          autocomplete="off"
          spellcheck="false"
          dir="auto"
          aria-describedby="stream-hint"
          .value=${streamName}
          @input=${({ target }: Event) => onStream((target as HTMLInputElement).value)}
        />
      </label>
      <datalist id="streams-of-token">${names.map((one) => html`<option value=${one.streamName}></option>`)}</datalist>
      <p class="soft" id="stream-hint">${messages.streamToUseHint}</p>
    </div>
  `;
}

function publishing(
  { token, streamName, dvr, pinned }: TokenUse,
  place: TokenPlace,
  texts: TokenTexts,
): TemplateResult {
  const { messages, common } = texts;
  const link = broadcasterLink(place.origin, { accountId: place.accountId, streamName, token: token.token });
  const isPrivate = token.subscribeRequiresAuth === true;
  const stream = { accountId: place.accountId, streamName, token: isPrivate ? TOKEN_PLACE : '', dvr };
  return html`
    ${copyField(messages.broadcasterLink, link, texts)}
    <p class="soft">${messages.broadcasterLinkEffect}</p>
    ${qrCode(link, messages.qrCode.publish)}
    ${copyField(messages.whip, ingestAddress('publish', streamName, place), texts)}
    <p class="soft">${messages.whipEffect}</p>
    ${place.rtmp ? rtmpFields(rtmpSettings(place.rtmp, place.origin, { streamName, token: token.token }), texts) : nothing}
    ${
      isPrivate
        ? html`<p class="soft">${common.privateEmbed}</p>`
        : copyField(common.viewerLink, viewerLink(place.origin, stream), texts)
    }
    ${embedCode(place.origin, stream, pinned, texts)}
  `;
}

function rtmpFields({ server, streamKey }: RtmpSettings, texts: TokenTexts): TemplateResult {
  const { messages } = texts;
  return html`
    ${copyField(messages.rtmpServer, server, texts)} ${copyField(messages.rtmpKey, streamKey, texts)}
    <p class="soft">${messages.rtmpEffect}</p>
  `;
}

function watching({ token, streamName, dvr, pinned }: TokenUse, place: TokenPlace, texts: TokenTexts): TemplateResult {
  const { messages, common } = texts;
  const stream = { accountId: place.accountId, streamName, token: token.token, dvr };
  const link = viewerLink(place.origin, stream);
  return html`
    ${copyField(common.viewerLink, link, texts)} ${qrCode(link, messages.qrCode.subscribe)}
    ${copyField(messages.whep, ingestAddress('subscribe', streamName, place), texts)}
    <p class="soft">${messages.embedWithToken}</p>
    ${embedCode(place.origin, stream, pinned, texts)}
  `;
}

function embedCode(
  origin: string,
  stream: Parameters<typeof tagCode>[1],
  pinned: PinnedFile | undefined,
  texts: TokenTexts,
): TemplateResult {
  const { common } = texts;
  return html`
    ${copyField(common.tag, tagCode(origin, stream), texts)}
    ${copyField(common.iframe, iframeCode(origin, stream), texts)}
    ${
      pinned
        ? html`${copyField(common.pinnedTag, tagCode(origin, stream, pinned), texts)}
            <p class="soft">${common.pinnedEffect}</p>`
        : nothing
    }
  `;
}

const copyField = (label: string, value: string, { common }: TokenTexts): TemplateResult =>
  html`<copy-field .messages=${common.copy} .label=${label} .value=${value}></copy-field>`;
