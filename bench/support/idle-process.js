// A process of Node that does nothing, until the channel to its parent closes.
process.on('disconnect', () => process.exit(0));
