/** Several keys in one channel, and a proxy of its own. */
export const channelKeys = {
  name: "0004-channel-keys",
  sql: `
ALTER TABLE channels ADD COLUMN key_count INTEGER NOT NULL DEFAULT 1;
ALTER TABLE channels ADD COLUMN dead_keys TEXT NOT NULL DEFAULT '';
ALTER TABLE channels ADD COLUMN proxy_sealed TEXT NOT NULL DEFAULT '';
ALTER TABLE channels ADD COLUMN proxy TEXT NOT NULL DEFAULT '';
`,
};
