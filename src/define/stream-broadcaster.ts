import { StreamBroadcasterElement } from '../elements/broadcaster/stream-broadcaster-element.js';
import { safeDefine } from './safe-define.js';

safeDefine('stream-broadcaster', StreamBroadcasterElement);

declare global {
  interface HTMLElementTagNameMap {
    'stream-broadcaster': StreamBroadcasterElement;
  }
}
