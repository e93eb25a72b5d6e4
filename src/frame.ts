export type {
  FrameCommand,
  FrameCommandCode,
  FrameError,
  FrameEvent,
  FrameEventType,
  FrameMessage,
  FrameState,
} from './frame/frame-message.js';
export { StreamFrame, StreamFrameEvent } from './frame/stream-frame.js';
