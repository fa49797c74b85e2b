// Vitest ends its workers by a signal, which by itself runs nothing of what a test leaves to the end of its process.
if (process.listenerCount("SIGTERM") === 0) process.once("SIGTERM", () => process.exit());
