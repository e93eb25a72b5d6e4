import type { InboundSample, InboundStats } from '../../../client/viewer/inbound-stats.js';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { ViewerMessages } from '../../i18n/messages.js';
import { inboundStatsBetween, readInboundSample } from '../../runners.js';
import { StatsController } from '../../stats/stats-controller.js';
import { inboundStatsRows, type Row } from '../../stats/stats-rows.js';
import type { Player } from '../controls/player.js';

/** The statistics of the connection, for visitors who ask for them. */
export class Statistics {
  readonly #player: Player;
  readonly #messages: MessagesController<ViewerMessages>;
  readonly #stats: StatsController<InboundSample, InboundStats>;

  constructor(player: Player, messages: MessagesController<ViewerMessages>, isShown: () => boolean) {
    this.#player = player;
    this.#messages = messages;
    const isWanted = (): boolean => player.controls && player.phase.name === 'live' && isShown();
    const source = { getStats: () => player.getStats(), isWanted };
    this.#stats = new StatsController(player, source, readInboundSample, inboundStatsBetween);
  }

  get rows(): readonly Row[] {
    const messages = this.#messages;
    const { captureLatency } = this.#player;
    return inboundStatsRows(messages.current, messages.number.bind(messages), this.#stats.current, captureLatency);
  }
}
